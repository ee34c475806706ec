import { m } from '../../paraglide/messages';
import type { MindSight, MindView } from '../../wire.gen';
import type { Coach } from '../coach';
import { HAND_TEXTS, handsStep, newsOf } from '../family/coach';
import { EMPTY_PILE } from '../family/seen';

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
    const news = newsOf(sights, afterLevel(level), false);
    if (news) return news;
    if (before && STAYING.includes(before)) return before;
    if (mode) return 'encore';
    if (seat && phase.focus.resting.includes(seat)) return 'hold';
    if (phase.focus.underway) return 'stopped';
    return level === 1 ? 'lay' : afterLevel(level);
  },
  texts: {
    ...HAND_TEXTS,
    lay: m.learn_mind_lay,
    wait: m.learn_mind_wait,
    next: m.learn_mind_next,
    lowest: m.learn_mind_lowest,
    middle: m.learn_mind_middle,
    star: m.learn_mind_star,
    unsure: m.learn_mind_unsure,
    raised: m.learn_mind_raised,
    starred: m.learn_starred,
    mistake: m.learn_mind_mistake,
    encore: m.learn_mind_encore,
    done: m.learn_done,
  },
  ends: ['done', 'lost'],
};

/** What is told in the focus stays until hands are lifted. */
const STAYING: readonly MindStep[] = ['next', 'star', 'starred', 'mistake', 'stopped'];

function playing(view: MindView): MindStep {
  const { phase, level, stars } = view.public;
  if ('playing' in phase && phase.playing.raised) return 'raised';
  const hands = handsStep(view.hands, (cards) => cards.length);
  if (hands) return hands;
  if (level === 1) return 'wait';
  if (view.pile !== EMPTY_PILE) return 'middle';
  return level >= FIRST_WITH_A_STAR && stars > 0 ? 'unsure' : 'lowest';
}

function afterLevel(next: number): MindStep {
  return next >= FIRST_WITH_A_STAR ? 'star' : 'next';
}
