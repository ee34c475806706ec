import { expect, it } from 'vitest';
import { outOfOrder, type Placed } from './face';

const pile = (values: number[], colour: 'white' | 'red'): Placed[] => values.map((value) => ({ seat: 'A', face: { value, colour } }));

it.each([
  ['white', [7, 14, 28, 20, 25, 23, 37], [3, 4, 5]],
  ['white', [1, 2, 3], []],
  ['red', [45, 43, 31, 26, 3], []],
  ['red', [45, 43, 26, 31, 3], [3]],
] as const)('in a %s pile of %j the late ones stand out', (colour, values, late) => {
  expect([...outOfOrder(pile([...values], colour))]).toEqual(late);
});

it('a back is never late', () => {
  expect(outOfOrder([...pile([9], 'white'), { seat: 'B', face: null }])).toEqual(new Set());
});
