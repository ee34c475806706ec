import { m } from '../../paraglide/messages';
import type { ExtremeSetup, ExtremeSight, ExtremeView } from '../../wire.gen';
import { withThree, type Coach } from '../coach';
import { focusStep, HAND_TEXTS, starredHandsStep } from '../family/coach';
import { EMPTY_PILE } from '../family/seen';
import { setupOf } from '../game';

export type ExtremeStep =
  | 'lay'
  | 'hold'
  | 'wait'
  | 'yours'
  | 'empty'
  | 'next'
  | 'hidden'
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

/** Two levels show everything but face-down piles, which the third begins with. */
const LEVELS = 3;

export const coach: Coach<ExtremeView, ExtremeSight, ExtremeStep> = {
  step(view, sights, before, { table, seat }) {
    const { phase, level } = view.public;
    if ('over' in phase) return phase.over.won ? 'done' : 'lost';
    if ('choosing' in phase) return 'choosing';
    if ('playing' in phase) return playing(view, setupOf(table, 'extreme'));
    const isLast = level > LEVELS;
    const next = isLast ? 'done' : level === LEVELS ? 'hidden' : 'next';
    const step = focusStep(sights, before, next, isLast);
    if (step) return step;
    if (phase.focus.underway) return 'stopped';
    if (isLast) return 'done';
    if (seat && phase.focus.resting.includes(seat)) return 'hold';
    return level === 1 ? 'lay' : next;
  },
  texts: {
    ...HAND_TEXTS,
    lay: m.learn_extreme_lay,
    wait: m.learn_extreme_wait,
    next: m.learn_extreme_next,
    hidden: m.learn_extreme_hidden,
    both: m.learn_extreme_both,
    middle: m.learn_extreme_middle,
    raised: m.learn_extreme_raised,
    choosing: m.learn_extreme_choosing,
    starred: m.learn_starred,
    mistake: m.learn_extreme_mistake,
    blind: m.learn_extreme_blind,
    done: m.learn_extreme_done,
  },
  ends: ['done', 'lost'],
  evening: [
    withThree(m.learn_eve_lives, 'extreme'),
    { says: m.learn_eve_rewards },
    { says: m.learn_eve_count },
    { says: m.learn_eve_notice },
  ],
};

function playing(view: ExtremeView, setup: ExtremeSetup): ExtremeStep {
  const hands = starredHandsStep(view.public, view.hands, ({ white, red }) => white.length + red.length);
  if (hands) return hands;
  const faces = setup.table[view.public.level - 1]?.faces;
  if (faces && (faces.white === 'blind' || faces.red === 'blind')) return 'blind';
  return view.piles.white === EMPTY_PILE && view.piles.red === EMPTY_PILE ? 'both' : 'middle';
}
