import { m } from '../../paraglide/messages';
import type { MindNotice, MindSight, MindView } from '../../wire.gen';
import { EMPTY_PILE } from '../family/seen';
import { held, type Coach } from '../coach';

export type MindStep =
  | 'lay'
  | 'hold'
  | 'wait'
  | 'yours'
  | 'empty'
  | 'next'
  | 'lowest'
  | 'middle'
  | 'star'
  | 'unsure'
  | 'raised'
  | 'starred'
  | 'mistake'
  | 'stopped'
  | 'encore'
  | 'lost'
  | 'done';

const FIRST_WITH_A_STAR = 3;

export const coach: Coach<MindView, MindSight, MindStep> = {
  step(view, sights, before, { seat }) {
    const { phase, level, mode } = view.public;
    if ('offer' in phase) return 'done';
    if ('over' in phase) return phase.over.won ? 'done' : 'lost';
    if ('playing' in phase) return mode ? 'encore' : playing(view);
    const news = newsOf(sights, level);
    if (news) return news;
    if (before && STAYING.includes(before)) return before;
    if (mode) return 'encore';
    if (seat && phase.focus.resting.includes(seat)) return 'hold';
    if (phase.focus.underway) return 'stopped';
    return level === 1 ? 'lay' : afterLevel(level);
  },
  texts: {
    lay: m.learn_mind_lay,
    hold: m.learn_hold,
    wait: m.learn_mind_wait,
    yours: m.learn_yours,
    empty: m.learn_empty,
    next: m.learn_mind_next,
    lowest: m.learn_mind_lowest,
    middle: m.learn_mind_middle,
    star: m.learn_mind_star,
    unsure: m.learn_mind_unsure,
    raised: m.learn_mind_raised,
    starred: m.learn_starred,
    mistake: m.learn_mind_mistake,
    stopped: m.learn_stopped,
    encore: m.learn_mind_encore,
    lost: m.learn_lost,
    done: m.learn_done,
  },
  ends: ['done', 'lost'],
};

/** What is told in the focus stays until hands are lifted. */
const STAYING: readonly MindStep[] = ['next', 'star', 'starred', 'mistake', 'stopped'];

function playing(view: MindView): MindStep {
  const { phase, level, stars } = view.public;
  const { own, others } = held(view.hands, (cards) => cards.length);
  if ('playing' in phase && phase.playing.raised) return 'raised';
  if (own === 0) return 'empty';
  if (others === 0) return 'yours';
  if (level === 1) return 'wait';
  if (view.pile !== EMPTY_PILE) return 'middle';
  return level >= FIRST_WITH_A_STAR && stars > 0 ? 'unsure' : 'lowest';
}

/** A mistake matters more than the level that it may have completed. */
function newsOf(sights: MindSight[], level: number): MindStep | null {
  const notices = sights.flatMap((sight) => ('notice' in sight ? [sight.notice] : []));
  const has = (name: string) => notices.some((notice: MindNotice) => typeof notice === 'object' && name in notice);
  if (has('erred')) return 'mistake';
  if (has('completed')) return afterLevel(level);
  if (has('starred')) return 'starred';
  return has('stopped') ? 'stopped' : null;
}

function afterLevel(next: number): MindStep {
  return next >= FIRST_WITH_A_STAR ? 'star' : 'next';
}
