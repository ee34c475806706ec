import { describe, expect, it } from 'vitest';
import type { Focus, MindSight, Seat, SoulmatesSight, Table } from '../../wire.gen';
import { tell as tellMind } from '../mind/tell';
import { instantCueOf } from './instant';
import { tell as tellSoulmates } from '../soulmates/tell';

const person = (name: string) => ({
  person: {
    name,
    here: true,
    held: false,
    ready: true,
    quality: null,
    unhurried: false,
    alike: false,
    mark: { picture: 'moon' as const, colour: 'amber' as const },
  },
});
const table = {
  chairs: ['Ada', 'Ben', 'Cleo'].map((name, index) => ({ seat: 'ABC'.charAt(index), sitter: person(name) })),
} as unknown as Table;
const ear = (seat: Seat | null) => ({ table, seat, locale: 'en' });

function mind(
  sights: MindSight[],
  { seat = 'A', lives = 2, focus = null }: { seat?: Seat | null; lives?: number; focus?: Focus | null } = {},
): string {
  return tellMind(sights, { lives, focus }, ear(seat))
    .filter((text) => text !== '')
    .join(' ');
}
const focus = (...resting: Seat[]): Focus => ({ resting, underway: false });

describe('what a player did', () => {
  it('is told to the player as such', () => {
    expect(mind([{ notice: { rested: 'A' } }])).toBe('Your hand is down.');
    expect(mind([{ notice: { rested: 'B' } }])).toBe('Ben: hand on the table');
    expect(mind([{ notice: { raised: 'A' } }])).toBe('You propose a star.');
    expect(mind([{ notice: { stopped: 'A' } }], { focus: focus() })).toBe('You stopped. The level waits for your hand.');
  });

  it('is told to a spectator by name', () => {
    expect(mind([{ notice: { stopped: 'A' } }], { seat: null, focus: focus() })).toBe('Ada stopped');
  });
});

describe('a mistake', () => {
  const erred: MindSight[] = [{ played: 'B40' }, { notice: { erred: { lower: [[12], [], [7]] } } }];

  it('follows its card, and says whose cards, how many lives are left and what the level waits for', () => {
    expect(mind(erred, { focus: focus() })).toBe(
      'Ben plays 40. Mistake: one life lost. Should have come first: 7 from Cleo and 12 from you. 2 lives left. The level waits for your hand.',
    );
  });

  it('says the lives before the cards of the next level', () => {
    const over: MindSight[] = [
      ...erred,
      { notice: { completed: { level: 1, reward: 'nothing' } } },
      { dealt: { level: 2, hands: [[3, 4], 2, 2] } },
    ];
    expect(mind(over, { lives: 1, focus: focus() })).toMatch(
      /Level 1 complete\. 1 life left\. Level 2\. Your cards: 3 and 4\. The level waits for your hand\.$/,
    );
  });

  it('that takes the last life says so once', () => {
    expect(mind([...erred, { notice: 'lost' }], { lives: 0 })).toMatch(/you\. The last life is gone$/);
  });
});

it('a hand that alone is missing is asked for, and no other hand more than once', () => {
  expect(mind([{ notice: { rested: 'B' } }], { focus: focus('B') })).toBe('Ben: hand on the table');
  expect(mind([{ notice: { rested: 'C' } }], { focus: focus('B', 'C') })).toBe('Cleo: hand on the table Only your hand is missing.');
  expect(mind([{ notice: { rested: 'C' } }], { focus: focus('A', 'C') })).toBe('Cleo: hand on the table');
});

describe('a wrong order in Soulmates', () => {
  function failed(pile: string, seat: Seat, { lives = 2, over = false } = {}): string {
    const sights: SoulmatesSight[] = [{ failed: { seer: 'A', pile } }];
    return tellSoulmates(sights, { lives, focus: null, over, attempt: 1 }, ear(seat))
      .filter((text) => text !== '')
      .join(' ');
  }

  it('tells the Seer whose cards lay there, and which came too late', () => {
    expect(failed('A30,B12,C44', 'A')).toBe('Wrong order: 30 from you, 12 from Ben (too late), and 44 from Cleo. 2 lives left.');
  });

  it('tells the others whose cards, and their own values alone', () => {
    expect(failed('A*,B12,C*', 'B')).toMatch(/^Wrong order: a card from Ada, 12 from you, and a card from Cleo\./);
  });
});

describe('sound first', () => {
  it('speaks a card by its number alone, and a face-down card by its player', () => {
    const brief = { ...ear('A'), brief: true };
    const standing = { lives: 2, focus: null };
    expect(tellMind([{ played: 'B40' }], standing, brief)).toContain('40');
    expect(tellMind([{ played: 'B40' }], standing, brief).join('')).not.toContain('Ben');
    expect(tellSoulmates([{ played: 'B*' }], { ...standing, over: false, attempt: 1 }, brief).join('')).toBe('Ben');
  });

  it('has a sound of its own for a card of each seat, a mistake and a star, and no other', () => {
    expect(instantCueOf({ played: 'B40' })).toBe('card-B');
    expect(instantCueOf({ played: { colour: 'red', card: 'A12' } })).toBe('card-A');
    expect(instantCueOf({ notice: { erred: { lower: [[12], []] } } })).toBe('mistake');
    expect(instantCueOf({ notice: { starred: { lowest: [[], []] } } })).toBe('star');
    expect(instantCueOf({ notice: 'begun' })).toBeNull();
  });
});
