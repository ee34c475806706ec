import { describe, expect, it } from 'vitest';
import type { MindSight, Table } from '../../wire.gen';
import { cueOf, landingOf, storyOf } from './story';
import { tellMind } from './tell';

const person = (name: string) => ({ person: { name, here: true, held: false, ready: false } });
const table = {
  chairs: [
    { seat: 'A', sitter: person('Ada') },
    { seat: 'B', sitter: person('Ben') },
  ],
} as unknown as Table;
const ear = { table, seat: 'A' as const, locale: 'en' };

const played: MindSight = { played: 'A34' };
const erred: MindSight = { notice: { erred: { lower: [[], [26, 30]] } } };
const begun: MindSight = { notice: 'begun' };

const turned: MindSight = {
  notice: {
    turned: {
      pile: [
        { seat: 'A', card: 9 },
        { seat: 'B', card: 4 },
      ],
      mistakes: 1,
      cost: 1,
    },
  },
};

describe('a story', () => {
  it('shows whose cards should have come first', () => {
    expect(storyOf([played, erred], '-', table)).toEqual({
      kind: 'erred',
      played: { seat: 'A', face: { value: 34, colour: null } },
      earlier: [
        { seat: 'B', face: { value: 26, colour: null } },
        { seat: 'B', face: { value: 30, colour: null } },
      ],
    });
  });

  it('stands until play goes on', () => {
    expect(storyOf([{ notice: { rested: 'A' } }], '-', table)).toBeUndefined();
    expect(storyOf([begun], '-', table)).toBeNull();
  });

  it('of a complete level holds the whole pile, with the card that completed it', () => {
    const sights: MindSight[] = [played, { notice: { completed: { level: 2, reward: 'star' } } }];
    expect(storyOf(sights, 'B7', table)).toMatchObject({
      kind: 'completed',
      level: 2,
      reward: 'star',
      piles: [
        {
          turned: false,
          cards: [
            { seat: 'B', face: { value: 7 } },
            { seat: 'A', face: { value: 34 } },
          ],
        },
      ],
    });
  });

  it('of a level that a mistake completed still shows the mistake', () => {
    const sights: MindSight[] = [played, erred, { notice: { completed: { level: 2, reward: 'nothing' } } }];
    expect(storyOf(sights, '-', table)).toMatchObject({ kind: 'completed', by: { kind: 'erred', played: { face: { value: 34 } } } });
  });

  it('of a blind level turns the pile over', () => {
    const sights: MindSight[] = [{ played: 'B*' }, turned, { notice: { completed: { level: 1, reward: 'nothing' } } }];
    expect(storyOf(sights, 'A9', table)).toMatchObject({
      check: { mistakes: 1, cost: 1 },
      piles: [{ turned: true, cards: [{ face: { value: 9 } }, { face: { value: 4 } }] }],
    });
  });
});

describe('a game that a face-down pile ends', () => {
  it('shows that pile', () => {
    expect(storyOf([{ played: 'B*' }, turned, { notice: 'lost' }], 'A9', table)).toMatchObject({
      kind: 'turned',
      check: { mistakes: 1, cost: 1 },
      piles: [{ turned: true, cards: [{ face: { value: 9 } }, { face: { value: 4 } }] }],
    });
  });
});

describe('the card that a moment begins with', () => {
  it('lies on top of the pile before it', () => {
    expect(landingOf([played], 'B7', false)).toEqual({
      pile: [
        { seat: 'B', face: { value: 7, colour: null } },
        { seat: 'A', face: { value: 34, colour: null } },
      ],
      colour: null,
      blind: false,
      wrong: false,
    });
    expect(landingOf([played, erred], '-', false)?.wrong).toBe(true);
  });

  it('is missing where none was laid', () => {
    expect(landingOf([begun], 'B7', false)).toBeNull();
  });
});

it('a sight is told in words', () => {
  expect(tellMind(played, ear)).toBe('You play 34.');
  expect(tellMind(played, { ...ear, seat: 'B' })).toBe('Ada plays 34.');
  expect(tellMind(erred, ear)).toBe('Mistake: one life lost. Should have come first: 26 from Ben and 30 from Ben.');
  expect(tellMind({ played: 'B*' }, ear)).toBe('Ben plays a card face down.');
});

it('a hand is told to its owner alone', () => {
  const dealt: MindSight = { dealt: { level: 2, hands: [[18, 40], 2] } };
  expect(tellMind(dealt, ear)).toBe('Level 2. Your cards: 18 and 40.');
  expect(tellMind(dealt, { ...ear, seat: null })).toBe('Level 2');
});

it('a sight is heard, unless a scene is heard in its place', () => {
  expect([played, erred, begun, { notice: { agreed: 'A' } } as MindSight].map(cueOf)).toEqual(['card', null, 'begin', null]);
});
