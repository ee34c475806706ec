import { m } from '../../paraglide/messages';
import type { RoyaleRows, RoyaleSetup, RoyaleSight, RoyaleView } from '../../wire.gen';
import { withThree, type Coach } from '../coach';

export type RoyaleStep = 'waits' | 'hide' | 'swap-waits' | 'swap-hide' | 'ask' | 'pegs' | 'aids' | 'half' | 'mine' | 'done';

const SOLVED_BLACKS = 3;
/** By then the pegs have been read, and there is something to conclude. */
const ROWS_TO_CONCLUDE = 3;
/** Two codes each, enough to see both sides of a series. */
const SERIES: RoyaleSetup = {
  players: 2,
  variant: 'series',
  rounds: 4,
  unsolved: 8,
  aids: { count: true, shade: true, suggest: false },
  manners: { photo_finish: false, tempo_report: 'after-game', seeding: 'fresh', export: false },
};

export const coach: Coach<RoyaleView, RoyaleSight, RoyaleStep> = {
  step(view, _sights, _before, { seat }) {
    const { phase, round, roles, rows } = view.public;
    const hides = seat === roles.maker;
    if (phase === 'over') return 'done';
    if (phase === 'choosing') {
      if (round > 1) return hides ? 'swap-hide' : 'swap-waits';
      return hides ? 'hide' : 'waits';
    }
    if (hides) return 'mine';
    if (isSolved(rows.colours) || isSolved(rows.shapes)) return 'half';
    const asked = rows.colours.length + rows.shapes.length;
    if (asked === 0) return 'ask';
    return asked < ROWS_TO_CONCLUDE ? 'pegs' : 'aids';
  },
  texts: {
    waits: m.learn_ry_waits,
    hide: m.learn_ry_hide,
    'swap-waits': m.learn_ry_swap_waits,
    'swap-hide': m.learn_ry_swap_hide,
    ask: m.learn_ry_ask,
    pegs: m.learn_ry_pegs,
    aids: m.learn_ry_aids,
    half: m.learn_ry_half,
    mine: m.learn_ry_mine,
    done: m.learn_ry_done,
  },
  ends: ['done'],
  evening: [
    { says: m.learn_eve_ry_rows },
    withThree(m.learn_eve_ry_three, 'royale'),
    { says: m.learn_eve_ry_series, at: { setup: { royale: SERIES }, public: false } },
    { says: m.learn_eve_ry_talk },
  ],
};

function isSolved(rows: RoyaleRows): boolean {
  return rows.at(-1)?.pegs.black === SOLVED_BLACKS;
}
