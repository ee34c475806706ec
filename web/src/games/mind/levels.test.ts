import { expect, it } from 'vitest';
import type { MindSetup } from '../../wire.gen';
import { houseRules, levelsMost } from './levels';

const manners = { photo_finish: false, tempo_report: 'after-game', seeding: 'fresh', export: false } as const;
const setup: MindSetup = { players: 2, levels: 12, lives: 2, stars: 1, blind_cost: 'per-mistake', manners };

it('the last level follows from the deck and the number of players', () => {
  expect([2, 3, 4, 5, 6].map(levelsMost)).toEqual([50, 33, 25, 20, 16]);
});

it('a set-up as the box has it has no house rules', () => {
  expect(houseRules(setup)).toEqual([]);
  expect(houseRules({ ...setup, levels: 3, lives: 5 })).toEqual([]);
});

it('every house rule is named', () => {
  expect(houseRules({ ...setup, first_level: 3 })).toEqual(['Starting level: 3']);
  expect(houseRules({ ...setup, face: 'blind' })).toEqual(['All cards face down from the first level']);
  expect(houseRules({ ...setup, levels: 13 })).toEqual(['Levels beyond 12: up to 13']);
  expect(houseRules({ ...setup, players: 5, levels: 7 })).toEqual(['5 players']);
  expect(houseRules({ ...setup, players: 6, levels: 7 })).toEqual(['6 players', 'Levels beyond 6: up to 7']);
  expect(houseRules({ ...setup, players: 4, levels: 9, first_level: 2, face: 'blind' })).toHaveLength(3);
});
