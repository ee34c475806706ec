import { expect, it } from 'vitest';
import type { LevelTempo, Table, Tempo, View } from '../wire.gen';
import { levelOf, levelsOf, teamOf } from './teams';

function level(number: number, attempt: number, mistakes: boolean[], beyond = false): LevelTempo {
  return { level: number, attempt, beyond, plays: mistakes.map((mistake) => ({ mistake })) } as unknown as LevelTempo;
}

const person = (name: string) => ({
  person: {
    name,
    here: true,
    held: false,
    ready: false,
    alike: false,
    quality: null,
    unhurried: false,
    mark: { picture: 'moon' as const, colour: 'amber' as const },
  },
});

function team(outcome: 'won' | null, levels: LevelTempo[]) {
  const chairs = [
    { seat: 'A', sitter: person('Ada') },
    { seat: 'B', sitter: person('Ben') },
  ];
  const table = { chairs, deal: { of: 'k3f9ab-1', daily: false, knows: ['B'] }, stage: { over: { outcome } } } as unknown as Table;
  const end = { mind: { public: { level: 3, lives: 2 } } } as unknown as View;
  return teamOf({ table, end, tempo: { levels, sync: { score: 81.5, plays: 6, waits: 4 }, leans: [] } as Tempo }, null);
}

it('says how far a team came, and who knew the deal', () => {
  const { names, knew, outcome, reached } = team(null, [level(1, 1, [false, true]), level(2, 1, [true])]);
  expect({ names, knew, outcome, reached }).toEqual({
    names: ['Ada', 'Ben'],
    knew: ['Ben'],
    outcome: 'early',
    reached: { level: 3, lives: 2, mistakes: 2, sync: 82 },
  });
});

it('compares the last attempts at the levels that were played', () => {
  const one = team('won', [level(1, 1, [true]), level(1, 2, [false]), level(2, 1, [])]);
  const other = team('won', [level(1, 1, [false]), level(3, 1, [false]), level(4, 1, [false], true)]);
  expect(levelsOf([one, other])).toEqual([1, 3]);
  expect(levelOf(one, 1)?.attempt).toBe(2);
  expect(levelOf(one, 3)).toBeNull();
});
