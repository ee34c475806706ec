import type { GameName, Seat, Table } from '../wire.gen';

/** What somebody is told while they learn a game. */
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
}

/** Each coach is fetched when its lesson is opened. */
const COACHES: Record<GameName, () => Promise<{ coach: Coach<any, any, any> }>> = {
  mind: () => import('./mind/coach'),
  extreme: () => import('./extreme/coach'),
  soulmates: () => import('./soulmates/coach'),
  royale: () => import('./royale/coach'),
};

export async function loadCoach(game: GameName): Promise<Coach<any, any, any>> {
  return (await COACHES[game]()).coach;
}

/** How many cards the learner holds, and how many the others do. */
export function held<Hand extends object>(hands: (Hand | number)[], count: (mine: Hand) => number): { own: number; others: number } {
  const sums = { own: 0, others: 0 };
  for (const hand of hands) {
    if (typeof hand === 'number') sums.others += hand;
    else sums.own += count(hand);
  }
  return sums;
}
