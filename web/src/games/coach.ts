import type { Wish } from '../lib/api';
import type { GameName, Seat, Table } from '../wire.gen';

/** The sentences of a lesson. */
export interface Coach<View, Sight, Step extends string> {
  /**
   * Where the lesson stands, from what the learner sees and from what the last update brought.
   * `before` is where it stood: some steps stay until play goes on.
   */
  step(view: View, sights: Sight[], before: Step | null, at: { table: Table; seat: Seat | null }): Step;
  /** One or two sentences for each step. */
  texts: Record<Step, () => string>;
  /** The steps at which everything has been learnt. */
  ends: readonly Step[];
  /** What the lesson did not come to, and the first evening needs. */
  evening: readonly Fact[];
}

/** Something to know for the first evening. */
export interface Fact {
  says: () => string;
  /** A table with bots at which it can be tried. */
  at?: Wish;
}

/** The fact as it is seen at a table with three players. */
export function withThree(says: () => string, game: GameName): Fact {
  return { says, at: { game, players: 3, preset: 'friendly', public: false } };
}
