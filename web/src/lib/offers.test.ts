import { expect, test } from 'vitest';
import type { Manners, NamedSetup, Preset, Setup } from '../wire.gen';
import { Offers } from './offers';

const manners: Manners = { photo_finish: false, tempo_report: 'after-game', seeding: 'fresh', export: false };

function mind(players: number, lives = players): Setup {
  return { mind: { players, levels: 16 - 2 * players, lives, stars: 1, blind_cost: 'per-mistake', manners } };
}

function extreme(players: number, levels: number): Setup {
  const level = { faces: { white: 'open', red: 'open' }, reward: 'nothing' } as const;
  return {
    extreme: { players, table: Array.from({ length: levels }, () => level), lives: 2, stars: 1, blind_cost: 'per-mistake', manners },
  };
}

const offered = (setup: Setup, preset: Preset = 'faithful'): NamedSetup => ({ preset, setup });
const offers = new Offers([
  offered(mind(2)),
  offered(mind(2, 3), 'friendly'),
  offered(mind(3)),
  offered(mind(4)),
  offered(extreme(2, 12)),
  offered(extreme(4, 8)),
]);

test('how many can play follows from what is offered', () => {
  expect(offers.players('mind')).toEqual([2, 3, 4]);
  expect(offers.players('extreme')).toEqual([2, 4]);
});

test('more players than the box is for are offered, and not where strangers meet', () => {
  const larger = new Offers([offered(mind(4)), offered(mind(5)), offered(mind(6))]);
  expect(larger.players('mind')).toEqual([4, 5, 6]);
  expect(larger.playersInBox('mind')).toEqual([4]);
});

test('a set-up is found by its name, and its name by the set-up', () => {
  expect(offers.setup('mind', 3, 'faithful')).toEqual(mind(3));
  expect(offers.presetOf(mind(2, 3))).toBe('friendly');
  expect(offers.presetOf(mind(2, 5))).toBeNull();
});

test('another game takes the nearest number of players', () => {
  expect(offers.setup('mind', 5, 'faithful')).toEqual(mind(4));
  expect(offers.setup('mind', 1, 'faithful')).toEqual(mind(2));
});

test('the set-ups of a game are those of all presets', () => {
  expect(offers.setups('extreme')).toEqual([extreme(2, 12), extreme(4, 8)]);
});
