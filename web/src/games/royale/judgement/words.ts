import { m } from '../../../paraglide/messages';
import type { JudgedRound, JudgedRow, Judgement, Seat } from '../../../wire.gen';
import { couldDoBetter, middle } from './reckoning';

/** Less is not told: no player could have known, in rows. */
const COST_LEAST = 0.1;
/** From here on a cost is told in rows. */
const HALF_LEAST = 0.35;
const ROW_LEAST = 0.75;
/** The costliest rows that are told one by one. */
const TOLD_MOST = 3;

/** What a row cost against the best one; 0 if none was better. */
export function costOf(row: JudgedRow): number {
  const cost = couldDoBetter(row) ? middle(row.cost) : 0;
  return cost < COST_LEAST ? 0 : cost;
}

/** A cost as people tell it: a little, half a row, rows. */
export function costText(cost: number): string {
  if (cost < HALF_LEAST) return m.judge_cost_little();
  return cost < ROW_LEAST ? m.judge_cost_half() : m.judge_cost_rows({ count: Math.round(cost) });
}

/** A round in words: which rows cost something, and that the others did not. */
export function rowsText({ rows }: JudgedRound): string {
  const costly = rows.map((row, index) => ({ row: index + 1, cost: costOf(row) })).filter(({ cost }) => cost > 0);
  if (costly.length === 0) return m.judge_all_best();
  const shown = costly
    .toSorted((one, other) => other.cost - one.cost)
    .slice(0, TOLD_MOST)
    .toSorted((one, other) => one.row - other.row);
  const words = shown.map(({ row, cost }) => m.judge_row_cost({ row, price: costText(cost) }));
  return [...words, ...(costly.length === shown.length && rows.length > shown.length ? [m.judge_rest_best()] : [])].join(' ');
}

/** What a breaker asked over a whole game, and what perfect play would have taken. */
export interface Total {
  seat: Seat;
  rows: number;
  expected: number;
}

export function totalsOf({ rounds }: Judgement): Total[] {
  const totals = new Map<Seat, Total>();
  for (const { rows } of rounds) {
    const begun = new Set<Seat>();
    for (const { seat, before } of rows) {
      const total = totals.get(seat) ?? { seat, rows: 0, expected: 0 };
      total.rows += 1;
      if (!begun.has(seat)) total.expected += middle(before);
      begun.add(seat);
      totals.set(seat, total);
    }
  }
  return [...totals.values()].sort((one, other) => one.seat.localeCompare(other.seat));
}

/** The row that cost most in a game. */
export function costliestOf({ rounds }: Judgement): { round: number; row: number; seat: Seat; cost: number } | null {
  const rows = rounds.flatMap(({ round, rows }) =>
    rows.map((row, index) => ({ round, row: index + 1, seat: row.seat, cost: costOf(row) })),
  );
  const [first] = rows.sort((one, other) => other.cost - one.cost);
  return first && first.cost > 0 ? first : null;
}
