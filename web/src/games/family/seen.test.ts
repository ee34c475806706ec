import { expect, it } from 'vitest';
import { knownHand, readPile, readSeen, turnedDown } from './seen';

it('a card on a pile has a seat and a face, or only a seat', () => {
  expect(readSeen('B34')).toEqual({ seat: 'B', face: { value: 34, colour: null } });
  expect(readSeen('A100', 'red')).toEqual({ seat: 'A', face: { value: 100, colour: 'red' } });
  expect(readSeen('E*', 'white')).toEqual({ seat: 'E', face: null });
});

it('a pile is read card by card, the first one first', () => {
  expect(readPile('-')).toEqual([]);
  expect(readPile('A7')).toEqual([{ seat: 'A', face: { value: 7, colour: null } }]);
  expect(readPile('A7,B*,A50', 'white')).toEqual([
    { seat: 'A', face: { value: 7, colour: 'white' } },
    { seat: 'B', face: null },
    { seat: 'A', face: { value: 50, colour: 'white' } },
  ]);
});

it('a pile that is turned down shows who laid each card and nothing else', () => {
  expect(['B34', 'B*', '-', 'A7,B*,A50'].map(turnedDown)).toEqual(['B*', 'B*', '-', 'A*,B*,A*']);
});

it('a hand is known, or a number', () => {
  expect([knownHand([3, 40]), knownHand([]), knownHand<number[]>(2), knownHand(undefined), knownHand(null)]).toEqual([
    [3, 40],
    [],
    null,
    null,
    null,
  ]);
});
