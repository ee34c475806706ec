import { expect, test } from 'vitest';
import type { Invitation } from '../wire.gen';
import { fresh, keyOf } from './news';

const invitation = (id: string, at: number): Invitation => ({
  id,
  from: 'Mia',
  setup: {} as Invitation['setup'],
  table: 'k3f9ab',
  at_s: at,
});

test('an invitation is news once, and a later one of the same person again', () => {
  const [first, second] = [invitation('a', 1), invitation('b', 2)];
  expect(fresh([first], null)).toEqual([]);
  const known = new Set([keyOf(first)]);
  expect(fresh([first], known)).toEqual([]);
  expect(fresh([second, first], known)).toEqual([second]);
  expect(fresh([invitation('a', 3)], known)).toHaveLength(1);
});
