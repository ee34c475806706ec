import { expect, test } from 'vitest';
import type { JudgedRound, JudgedRow, Seat } from '../../../wire.gen';
import { couldDoBetter, lineOf, reckon } from './reckoning';

const exactly = (value: number) => ({ least: value, most: value });

function row(seat: Seat, before: number, asked: number, after: number): JudgedRow {
  return {
    seat,
    row: { colours: [1, 2, 2] },
    pegs: { black: 1, white: 1 },
    codes_before: 100,
    codes_after: 10,
    cards_after: [],
    best: { colours: [1, 2, 3] },
    before: exactly(before),
    asked: exactly(asked),
    after: exactly(after),
    cost: exactly(asked - before),
  };
}

const round = (rows: JudgedRow[]): JudgedRound => ({ round: 1, maker: 'A', code: ['A1', 'B2', 'C3'], pack: [], rows });

test('rows asked are those expected, and what choices cost, less what luck saved', () => {
  const [ben] = reckon(round([row('B', 4, 4.25, 2), row('B', 2, 2, 1.5), row('B', 1.5, 1.5, 0)]));
  expect(ben).toMatchObject({ seat: 'B', rows: 3, expected: 4, cost: exactly(0.25) });
  expect(ben!.expected + ben!.cost.least - ben!.luck).toBeCloseTo(ben!.rows);
});

test('two breakers have a line each, by the order of the round', () => {
  const shared = round([row('B', 3, 3, 2), row('C', 3, 3, 1), row('B', 2, 2, 0), row('C', 1, 1, 0)]);
  expect(reckon(shared).map(({ seat, rows }) => [seat, rows])).toEqual([
    ['B', 2],
    ['C', 2],
  ]);
  expect(lineOf(shared, 'C').map(({ at, left }) => [at, left.least])).toEqual([
    [0, 3],
    [2, 1],
    [4, 0],
  ]);
});

test('another row is better only if it is another row', () => {
  const asked = row('B', 4, 4.25, 2);
  expect(couldDoBetter(asked)).toBe(true);
  expect(couldDoBetter({ ...asked, best: asked.row })).toBe(false);
  expect(couldDoBetter({ ...asked, best: { shapes: [1, 2, 2] } })).toBe(true);
});
