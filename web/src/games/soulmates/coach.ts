import { m } from '../../paraglide/messages';
import type { SoulmatesSight, SoulmatesView } from '../../wire.gen';
import { withThree, type Coach } from '../coach';
import { HAND_TEXTS, handsStep } from '../family/coach';
import { EMPTY_PILE } from '../family/seen';

export type SoulmatesStep =
  | 'seer'
  | 'slate'
  | 'look'
  | 'hint'
  | 'lay'
  | 'lay-seer'
  | 'again'
  | 'hold'
  | 'wait'
  | 'backs'
  | 'yours'
  | 'empty'
  | 'failed'
  | 'amend'
  | 'stopped'
  | 'lost'
  | 'done';

/** One level with a Seer beside one, and one as the Seer. */
const LEVELS = 2;

export const coach: Coach<SoulmatesView, SoulmatesSight, SoulmatesStep> = {
  step(view, _sights, _before, { seat }) {
    const { phase, level, attempt, seer } = view.public;
    const sees = seat === seer;
    if (phase === 'playing') return playing(view);
    if (phase === 'amending') return sees ? 'amend' : 'failed';
    if (typeof phase === 'object' && 'offer' in phase) return 'done';
    if (typeof phase === 'object' && 'over' in phase) return phase.over.won ? 'done' : 'lost';
    const focus = typeof phase === 'object' ? phase.focus : null;
    if (focus?.underway) return 'stopped';
    if (level > LEVELS && attempt === 1) return 'done';
    if (phase === 'looking') return sees ? 'look' : 'seer';
    if (phase === 'hinting') return sees ? 'hint' : 'slate';
    if (seat && focus?.resting.includes(seat)) return 'hold';
    if (attempt > 1) return 'again';
    return sees ? 'lay-seer' : 'lay';
  },
  texts: {
    ...HAND_TEXTS,
    seer: m.learn_sm_seer,
    slate: m.learn_sm_slate,
    look: m.learn_sm_look,
    hint: m.learn_sm_hint,
    lay: m.learn_sm_lay,
    'lay-seer': m.learn_sm_lay_seer,
    again: m.learn_sm_again,
    wait: m.learn_sm_wait,
    backs: m.learn_sm_backs,
    failed: m.learn_sm_failed,
    amend: m.learn_sm_amend,
    done: m.learn_sm_done,
  },
  ends: ['done', 'lost'],
  evening: [withThree(m.learn_eve_sm_lives, 'soulmates'), { says: m.learn_eve_sm_stand }, { says: m.learn_eve_notice }],
};

function playing(view: SoulmatesView): SoulmatesStep {
  return handsStep(view.hands, (cards) => cards.length) ?? (view.pile === EMPTY_PILE ? 'wait' : 'backs');
}
