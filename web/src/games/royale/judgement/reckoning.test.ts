import { expect, test } from 'vitest';
import type { JudgedRound, JudgedRow } from '../../../wire.gen';
import { exactly, judgedRow } from './judged.fixture';
import { couldDoBetter, lineOf, reckon } from './reckoning';

const round = (rows: JudgedRow[]): JudgedRound => ({ round: 1, maker: 'A', code: ['A1', 'B2', 'C3'], pack: [], rows });

test('rows asked are those expected, and what choices cost, less what luck saved', () => {
  const [ben] = reckon(round([judgedRow('B', 4, 4.25, 2), judgedRow('B', 2, 2, 1.5), judgedRow('B', 1.5, 1.5, 0)]));
  expect(ben).toMatchObject({ seat: 'B', rows: 3, expected: 4, cost: exactly(0.25) });
  expect(ben!.expected + ben!.cost.least - ben!.luck).toBeCloseTo(ben!.rows);
});

test('two breakers have a line each, by the order of the round', () => {
  const shared = round([judgedRow('B', 3, 3, 2), judgedRow('C', 3, 3, 1), judgedRow('B', 2, 2, 0), judgedRow('C', 1, 1, 0)]);
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
  const asked = judgedRow('B', 4, 4.25, 2);
  expect(couldDoBetter(asked)).toBe(true);
  expect(couldDoBetter({ ...asked, best: asked.row })).toBe(false);
  expect(couldDoBetter({ ...asked, best: { shapes: [1, 2, 2] } })).toBe(true);
});
