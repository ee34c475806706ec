import { expect, it } from 'vitest';
import type { JudgedRound, JudgedRow, Seat } from '../../../wire.gen';
import { exactly, judgedRow } from './judged.fixture';
import { costliestOf, rowsText, totalsOf } from './words';

function row(cost: number, seat: Seat = 'B'): JudgedRow {
  const judged = judgedRow(seat, 4, 4 + cost, 3);
  return { ...judged, best: cost > 0 ? judged.best : judged.row, cost: exactly(cost) };
}
const round = (number: number, rows: JudgedRow[]): JudgedRound => ({ round: number, maker: 'A', code: ['A1', 'B2', 'C3'], pack: [], rows });

it.each([
  [[0, 0, 0], 'No row could have been better.'],
  [[0, 0, 0.05], 'No row could have been better.'],
  [[0, 0.2, 0, 0.9], 'Row 2 cost a little. Row 4 cost about one row. The other rows could not have been better.'],
  [[0.5, 2.1], 'Row 1 cost about half a row. Row 2 cost about 2 rows.'],
  [[0.2, 0.3, 0.5, 0.6, 0], 'Row 2 cost a little. Row 3 cost about half a row. Row 4 cost about half a row.'],
])('rows that cost %j', (costs, says) => {
  expect(
    rowsText(
      round(
        1,
        costs.map((cost) => row(cost)),
      ),
    ),
  ).toBe(says);
});

it('adds up what each breaker asked and was to expect', () => {
  const judgement = { rounds: [round(1, [row(0), row(0.5, 'C'), row(0)]), round(2, [row(1.2)])] };
  expect(totalsOf(judgement)).toEqual([
    { seat: 'B', rows: 3, expected: 8 },
    { seat: 'C', rows: 1, expected: 4 },
  ]);
  expect(costliestOf(judgement)).toMatchObject({ round: 2, row: 1, seat: 'B' });
});
