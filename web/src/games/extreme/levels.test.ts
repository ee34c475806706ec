import { expect, it } from 'vitest';
import type { ExtremeLevel, ExtremeSetup } from '../../wire.gen';
import { allLevels, blindLevels, houseRules, laid, lengthened, turned } from './levels';

const level: ExtremeLevel = { faces: { white: 'open', red: 'open' }, reward: 'nothing' };
const setup = (levels: number) => ({ table: Array<ExtremeLevel>(levels).fill(level) }) as ExtremeSetup;

it('the longest table has all levels', () => {
  expect(allLevels([setup(8), setup(12), setup(10)])).toHaveLength(12);
  expect(allLevels([])).toEqual([]);
});

const blindWhite: ExtremeLevel = { faces: { white: 'blind', red: 'open' }, reward: 'life' };

it('a longer table keeps what was changed and takes the rest from what is offered', () => {
  expect(lengthened([blindWhite], [level, level, blindWhite], 3)).toEqual([blindWhite, level, blindWhite]);
  expect(lengthened([blindWhite, level], [level, level], 1)).toEqual([blindWhite]);
});

it('one pile is turned, and what a level earns stays', () => {
  const [first, second] = turned([level, blindWhite], 2, 'white');
  expect(first).toEqual(level);
  expect(second).toEqual({ faces: { white: 'open', red: 'open' }, reward: 'life' });
  expect(turned([level], 1, 'red')).toEqual([{ ...level, faces: { white: 'open', red: 'blind' } }]);
});

it('all piles are laid alike', () => {
  expect(laid([level, blindWhite], 'blind').map(({ faces }) => faces)).toEqual(Array(2).fill({ white: 'blind', red: 'blind' }));
  expect(laid([blindWhite], 'open')).toEqual([{ faces: { white: 'open', red: 'open' }, reward: 'life' }]);
});

it('blind levels are named by their numbers', () => {
  expect(blindLevels([level, blindWhite, blindWhite], 'white')).toBe('2, 3');
  expect(blindLevels([level, blindWhite], 'red')).toBe('–');
});

it('more players, piles that are never or always face down and a later start are house rules', () => {
  const table = [level, level, blindWhite];
  const rules = (changes: Partial<ExtremeSetup>) => houseRules({ ...setup(0), table, ...changes });
  expect(rules({})).toEqual([]);
  expect(rules({ players: 4 })).toEqual([]);
  expect(rules({ players: 6 })).toEqual(['6 players']);
  expect(rules({ first_level: 3 })).toEqual(['Starting level: 3']);
  expect(rules({ table: laid(table, 'open') })).toEqual(['No face-down piles']);
  expect(rules({ table: laid(table, 'blind') })).toEqual(['Both piles face down on every level']);
  // Levels 1 and 2 have no face-down pile in the box either.
  expect(rules({ table: [level, level] })).toEqual([]);
});
