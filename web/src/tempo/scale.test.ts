import { expect, it } from 'vitest';
import type { LevelTempo } from '../wire.gen';
import { grouped, scaleOf, stepOf } from './scale';

it.each([
  [10, 5, 2],
  [12, 5, 5],
  [0.8, 4, 0.2],
  [95, 8, 20],
  [600, 6, 100],
])('%f seconds in %i steps', (seconds, most, step) => {
  expect(stepOf(seconds, most)).toBeCloseTo(step);
});

it('places the first and the last moment at the edges', () => {
  const { x, y, seconds } = scaleOf(20_000_000, 100, 500, 300);
  expect([x(0), x(20_000_000)]).toEqual([34, 486]);
  expect([y(0), y(100)]).toEqual([270, 30]);
  expect(seconds).toEqual([0, 5, 10, 15, 20]);
});

it('lays attempts at a level side by side', () => {
  const level = (number: number, attempt: number, beyond = false) => ({ level: number, attempt, beyond }) as LevelTempo;
  const groups = grouped([level(1, 1), level(1, 2), level(2, 1), level(2, 1, true)]);
  expect(groups.map((group) => group.length)).toEqual([2, 1, 1]);
});
