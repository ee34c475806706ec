import { expect, it } from 'vitest';
import type { Table } from '../../wire.gen';
import { outOfOrder, owned, ownedColours, type OwnedCard } from './face';

const pile = (values: number[], colour: 'white' | 'red'): OwnedCard[] => values.map((value) => ({ seat: 'A', face: { value, colour } }));

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

it('cards of several seats stand in the order in which they should have been played', () => {
  const table = { chairs: [{ seat: 'A' }, { seat: 'B' }] } as Table;
  expect(owned([[56], [12, 48]], table).map(({ seat, face }) => `${seat}${face?.value}`)).toEqual(['B12', 'B48', 'A56']);
  const coloured = ownedColours(
    [
      { white: [9], red: [20] },
      { white: [4], red: [31] },
    ],
    table,
  );
  expect(coloured.map(({ seat, face }) => `${seat} ${face?.colour} ${face?.value}`)).toEqual([
    'B white 4',
    'A white 9',
    'B red 31',
    'A red 20',
  ]);
});
