import { m } from '../../paraglide/messages';
import type { ExtremePhase, ExtremeSight, MindPhase, MindSight } from '../../wire.gen';

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

/** The same in a game with stars: a raised hand comes first, and in the first level one waits. */
export function starredHandsStep<Hand extends object>(
  { phase, level }: { phase: MindPhase | ExtremePhase; level: number },
  hands: (Hand | number)[],
  count: (mine: Hand) => number,
): 'raised' | 'empty' | 'yours' | 'wait' | null {
  if ('playing' in phase && phase.playing.raised) return 'raised';
  return handsStep(hands, count) ?? (level === 1 ? 'wait' : null);
}

/** What is told in the focus stays until hands are lifted. */
const STAYING: readonly string[] = ['next', 'hidden', 'star', 'starred', 'mistake', 'stopped', 'done'];

/**
 * What a learner is told in the focus: what the update brought, or what it brought before. A
 * mistake matters more than the level that it may have completed, unless that was the last level
 * of the lesson. `next` is told after a level.
 */
export function focusStep<Step extends string>(
  sights: (MindSight | ExtremeSight)[],
  before: Step | null,
  next: Step,
  isLast: boolean,
): Step | 'mistake' | 'starred' | 'stopped' | null {
  const notices = sights.flatMap((sight) => ('notice' in sight && typeof sight.notice === 'object' ? [sight.notice] : []));
  const has = (name: 'completed' | 'erred' | 'starred' | 'stopped') => notices.some((notice) => name in notice);
  if (has('completed') && isLast) return next;
  if (has('erred')) return 'mistake';
  if (has('completed')) return next;
  if (has('starred')) return 'starred';
  if (has('stopped')) return 'stopped';
  return before !== null && STAYING.includes(before) ? before : null;
}
