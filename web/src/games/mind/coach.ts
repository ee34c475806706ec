import { m } from '../../paraglide/messages';
import type { MindSight, MindView } from '../../wire.gen';
import { withThree, type Coach } from '../coach';
import { focusStep, HAND_TEXTS, starredHandsStep } from '../family/coach';
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
    const step = focusStep(sights, before, afterLevel(level), false);
    if (step) return step;
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
  evening: [withThree(m.learn_eve_lives, 'mind'), { says: m.learn_eve_rewards }, { says: m.learn_eve_count }, { says: m.learn_eve_notice }],
};

function playing(view: MindView): MindStep {
  const hands = starredHandsStep(view.public, view.hands, (cards) => cards.length);
  if (hands) return hands;
  if (view.pile !== EMPTY_PILE) return 'middle';
  const { level, stars } = view.public;
  return level >= FIRST_WITH_A_STAR && stars > 0 ? 'unsure' : 'lowest';
}

function afterLevel(next: number): MindStep {
  return next >= FIRST_WITH_A_STAR ? 'star' : 'next';
}
