import { expect, test } from 'vitest';
import type { DailyTeam } from '../wire.gen';
import { dayBefore, isSeedOf } from './load';
import { dots, levelsOf } from './picture';

function team(level: number, mistakes: number, you = false): DailyTeam {
  return { you, bots: 0, outcome: 'lost', reached: { level: { level, of: 12, beyond: 0, lives: 0, stars: 1 } }, mistakes };
}

test('teams with the same result share a dot, and our own lies on top', () => {
  const all = dots([team(12, 2, true), team(1, 4), team(1, 4), team(12, 2)]);
  expect(all).toEqual([
    { x: 0, y: 0, count: 2, you: false },
    { x: 1, y: 0.5, count: 2, you: true },
  ]);
});

test('a game of points has no levels', () => {
  const points: DailyTeam = { you: false, bots: 1, outcome: { best: ['A'] }, reached: { points: [3, 4] }, mistakes: null };
  expect(levelsOf(points)).toBeNull();
  expect(dots([points])).toEqual([]);
});

test('the day before is found across months and years', () => {
  expect(dayBefore('2026-03-01')).toBe('2026-02-28');
  expect(dayBefore('2027-01-01')).toBe('2026-12-31');
});

test('a seed is checked by its hash', async () => {
  const hash = '60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55';
  expect(await isSeedOf('0'.repeat(64), hash)).toBe(true);
  expect(await isSeedOf('1'.repeat(64), hash)).toBe(false);
});
