import { expect, it } from 'vitest';
import { emptyDraft, filled, put, takeBack } from './draft';

const three = (...values: number[]) => values.reduce((draft, value) => put(draft, value), emptyDraft<number>());

it('is filled from left to right', () => {
  expect(filled(three(1, 2))).toBeNull();
  expect(filled(three(1, 2, 3))).toEqual([1, 2, 3]);
});

it('goes on at the next empty place, around the end', () => {
  expect(put(put(emptyDraft<number>(), 3, 2), 1).places).toEqual([1, null, 3]);
  expect(put(emptyDraft<number>(), 3, 2).at).toBe(0);
});

it('replaces where it stands once it is full', () => {
  expect(filled(put({ ...three(1, 2, 3), at: 1 }, 5))).toEqual([1, 5, 3]);
});

it('is taken back one by one', () => {
  const two = takeBack(three(1, 2, 3));
  expect(two).toEqual({ places: [1, 2, null], at: 2 });
  expect(takeBack(two)).toEqual({ places: [1, null, null], at: 1 });
  expect(takeBack(takeBack(takeBack(two))).places).toEqual([null, null, null]);
});
