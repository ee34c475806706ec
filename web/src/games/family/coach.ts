import { m } from '../../paraglide/messages';
import type { ExtremeSight, MindSight } from '../../wire.gen';

/** What is said in the same words in the lessons of all Mind games. */
export const HAND_TEXTS = { hold: m.learn_hold, yours: m.learn_yours, empty: m.learn_empty, stopped: m.learn_stopped, lost: m.learn_lost };

/** Where the learner stands while cards are laid, if that says it all: with none left, or alone with some. */
export function handsStep<Hand extends object>(hands: (Hand | number)[], count: (mine: Hand) => number): 'empty' | 'yours' | null {
  let own = 0;
  let others = 0;
  for (const hand of hands) {
    if (typeof hand === 'number') others += hand;
    else own += count(hand);
  }
  if (own === 0) return 'empty';
  return others === 0 ? 'yours' : null;
}

/**
 * What an update brought that a learner should be told. A mistake matters more than the level that
 * it may have completed, unless that was the last level of the lesson. `next` is told after a level.
 */
export function newsOf<Next>(sights: (MindSight | ExtremeSight)[], next: Next, isLast: boolean): Next | 'mistake' | 'starred' | 'stopped' | null {
  const notices = sights.flatMap((sight) => ('notice' in sight && typeof sight.notice === 'object' ? [sight.notice] : []));
  const has = (name: 'completed' | 'erred' | 'starred' | 'stopped') => notices.some((notice) => name in notice);
  if (has('completed') && isLast) return next;
  if (has('erred')) return 'mistake';
  if (has('completed')) return next;
  if (has('starred')) return 'starred';
  return has('stopped') ? 'stopped' : null;
}
