import { expect, it } from 'vitest';
import { isOffered, pressed } from './hints';

const TWO_OF_THREE = [[], [7], [11], [33], [7, 11], [7, 33], [11, 33]];

it('offers what the table offers, in any order', () => {
  expect(isOffered(TWO_OF_THREE, [])).toBe(true);
  expect(isOffered(TWO_OF_THREE, [33, 7])).toBe(true);
  expect(isOffered(TWO_OF_THREE, [7, 11, 33])).toBe(false);
  expect(isOffered(TWO_OF_THREE, [12])).toBe(false);
});

it('adds a card, takes it back, and lets the first go when one is too many', () => {
  expect(pressed(TWO_OF_THREE, [7], 33)).toEqual([7, 33]);
  expect(pressed(TWO_OF_THREE, [7, 33], 7)).toEqual([33]);
  expect(pressed(TWO_OF_THREE, [7, 33], 11)).toEqual([33, 11]);
});
