import { m } from '../../paraglide/messages';
import type { ExtremeNotice, ExtremeSetup, ExtremeSight, ExtremeView } from '../../wire.gen';
import { setupOf } from '../../lib/games';
import { EMPTY_PILE } from '../family/seen';
import { held, type Coach } from '../coach';

export type ExtremeStep =
  | 'lay'
  | 'hold'
  | 'wait'
  | 'yours'
  | 'empty'
  | 'next'
  | 'both'
  | 'middle'
  | 'raised'
  | 'choosing'
  | 'starred'
  | 'mistake'
  | 'stopped'
  | 'blind'
  | 'lost'
  | 'done';

/** Two levels show everything but face-down piles. */
const LEVELS = 2;

export const coach: Coach<ExtremeView, ExtremeSight, ExtremeStep> = {
  step(view, sights, before, { table, seat }) {
    const { phase, level } = view.public;
    if ('over' in phase) return phase.over.won ? 'done' : 'lost';
    if ('choosing' in phase) return 'choosing';
    if ('playing' in phase) return playing(view, setupOf(table, 'extreme'));
    const news = newsOf(sights, level);
    if (news) return news;
    if (before && STAYING.includes(before)) return before;
    if (phase.focus.underway) return 'stopped';
    if (level > LEVELS) return 'done';
    if (seat && phase.focus.resting.includes(seat)) return 'hold';
    return level === 1 ? 'lay' : 'next';
  },
  texts: {
    lay: m.learn_extreme_lay,
    hold: m.learn_hold,
    wait: m.learn_extreme_wait,
    yours: m.learn_yours,
    empty: m.learn_empty,
    next: m.learn_extreme_next,
    both: m.learn_extreme_both,
    middle: m.learn_extreme_middle,
    raised: m.learn_extreme_raised,
    choosing: m.learn_extreme_choosing,
    starred: m.learn_starred,
    mistake: m.learn_extreme_mistake,
    stopped: m.learn_stopped,
    blind: m.learn_extreme_blind,
    lost: m.learn_lost,
    done: m.learn_extreme_done,
  },
  ends: ['done', 'lost'],
};

/** What is told in the focus stays until hands are lifted. */
const STAYING: readonly ExtremeStep[] = ['next', 'starred', 'mistake', 'stopped', 'done'];

function playing(view: ExtremeView, setup: ExtremeSetup): ExtremeStep {
  const { phase, level } = view.public;
  const { own, others } = held(view.hands, ({ white, red }) => white.length + red.length);
  if ('playing' in phase && phase.playing.raised) return 'raised';
  if (own === 0) return 'empty';
  if (others === 0) return 'yours';
  if (level === 1) return 'wait';
  const faces = setup.table[level - 1]?.faces;
  if (faces && (faces.white === 'blind' || faces.red === 'blind')) return 'blind';
  return view.piles.white === EMPTY_PILE && view.piles.red === EMPTY_PILE ? 'both' : 'middle';
}

/** A mistake matters more than the level that it may have completed, unless it was the last one. */
function newsOf(sights: ExtremeSight[], level: number): ExtremeStep | null {
  const notices = sights.flatMap((sight) => ('notice' in sight ? [sight.notice] : []));
  const has = (name: string) => notices.some((notice: ExtremeNotice) => typeof notice === 'object' && name in notice);
  if (has('completed') && level > LEVELS) return 'done';
  if (has('erred')) return 'mistake';
  if (has('completed')) return 'next';
  if (has('starred')) return 'starred';
  return has('stopped') ? 'stopped' : null;
}
