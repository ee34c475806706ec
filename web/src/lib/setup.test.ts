import { expect, test } from 'vitest';
import type { Setup } from '../wire.gen';
import { gistOf, hasHouseRules, houseRulesOf, restOf } from './setup';

const manners = { photo_finish: false, tempo_report: 'after-game', seeding: 'fresh', export: false } as const;
const aids = { count: false, shade: false, suggest: false };
const royale: Setup = { royale: { players: 2, variant: 'alternate', rounds: 8, unsolved: 8, aids, manners } };
const bHides: Setup = { royale: { ...royale.royale, first_maker: 'B' } };

test('a set-up without house rules does not speak of them', () => {
  expect(hasHouseRules(royale)).toBe(false);
  expect(gistOf(royale)).toEqual(['8 rounds']);
  expect(restOf(royale).join()).not.toContain('House rule');
});

test('house rules are labelled as not in the box wherever a set-up is put into words', () => {
  expect(gistOf(bHides)).toEqual(['8 rounds', 'house rules']);
  expect(houseRulesOf(bHides)).toEqual(['House rule, not in the box: Hides the first code: B']);
  expect(restOf(bHides)).toContain('House rule, not in the box: Hides the first code: B');
});

test('the first Seer and the level table that a host chooses are house rules', () => {
  const soulmates = { players: 3, lives: 4, table: 'linear', first_seer: null, manners } as const;
  expect(houseRulesOf({ soulmates })).toEqual([]);
  const own = { soulmates: { ...soulmates, first_seer: 'B', table: { free: [{ cards: 4, look: 3, hints: 1 }] } } } satisfies Setup;
  expect(houseRulesOf(own)).toEqual([
    'House rule, not in the box: First Seer: B',
    'House rule, not in the box: Levels as cards/look/hints: 4/3/1',
  ]);
});
