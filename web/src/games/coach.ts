import type { GameName, Seat, Viewer } from '../wire.gen';

/** What somebody is told while they learn a game. */
export interface Coach<View, Sight, Step extends string> {
  /**
   * Where the lesson stands, from what the learner sees and from what the last update brought.
   * `before` is where it stood: some steps stay until play goes on.
   */
  step(view: View, sights: Sight[], before: Step | null): Step;
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

export function seatOf(me: Viewer): Seat | null {
  return me === 'watcher' ? null : me.seat;
}

/** How many cards the learner holds, and how many the others do. */
export function held<Hand extends { mine: unknown } | { theirs: number }>(
  hands: Hand[],
  count: (mine: Extract<Hand, { mine: unknown }>['mine']) => number,
): { own: number; others: number } {
  const sums = { own: 0, others: 0 };
  for (const hand of hands) {
    if ('mine' in hand) sums.own += count((hand as Extract<Hand, { mine: unknown }>).mine);
    else sums.others += hand.theirs;
  }
  return sums;
}
