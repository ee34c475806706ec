import type { Between, JudgedRound, JudgedRow, RoyaleRow, RoyaleTriple, Seat } from '../../../wire.gen';
import type { Zone } from '../kinds';

/** How well a codebreaker did in a round. */
export interface Reckoning {
  seat: Seat;
  /** How many rows they asked. */
  rows: number;
  /** How many there were to expect before the first. */
  expected: number;
  /** How many rows their choices cost on average. */
  cost: Between;
  /** How many rows the answers saved them against what was to be expected; negative if they were unlucky. */
  luck: number;
}

export const middle = ({ least, most }: Between): number => (least + most) / 2;

export function zoneOf(row: RoyaleRow): [Zone, RoyaleTriple] {
  return 'colours' in row ? ['colours', row.colours] : ['shapes', row.shapes];
}

/** Whether the best row is known to have been another one. */
export function couldDoBetter({ row, best }: JudgedRow): boolean {
  const [zone, triple] = zoneOf(row);
  const [bestZone, bestTriple] = zoneOf(best);
  return zone !== bestZone || triple.some((kind, place) => kind !== bestTriple[place]);
}

/** Each breaker's round: what was to be expected, what their choices cost, and what luck did. */
export function reckon({ rows }: JudgedRound): Reckoning[] {
  const seats = [...new Set(rows.map(({ seat }) => seat))].sort();
  return seats.map((seat) => {
    const own = rows.filter((row) => row.seat === seat);
    const sum = (value: (row: JudgedRow) => number) => own.reduce((total, row) => total + value(row), 0);
    return {
      seat,
      rows: own.length,
      expected: middle(own[0]!.before),
      cost: { least: sum(({ cost }) => cost.least), most: sum(({ cost }) => cost.most) },
      luck: sum(({ asked, after }) => middle(asked) - 1 - middle(after)),
    };
  });
}

/** A breaker's rows to expect over a round: before the first row, and after each of theirs by its number in the round. */
export function lineOf({ rows }: JudgedRound, seat: Seat): { at: number; left: Between }[] {
  const own = rows.map((row, index) => ({ row, at: index + 1 })).filter(({ row }) => row.seat === seat);
  const after = own.map(({ row, at }) => ({ at, left: row.after }));
  return own[0] ? [{ at: 0, left: own[0].row.before }, ...after] : [];
}
