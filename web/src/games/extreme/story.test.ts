import { expect, it } from 'vitest';
import type { ExtremeSight, Table } from '../../wire.gen';
import { landingOf, storyOf } from './story';

const person = (name: string) => ({ person: { name, here: true, held: false, ready: false } });
const table = {
  chairs: [
    { seat: 'A', sitter: person('Ada') },
    { seat: 'B', sitter: person('Ben') },
  ],
} as unknown as Table;

const empty = { white: '-', red: '-' };
const played: ExtremeSight = { played: { colour: 'red', card: 'B*' } };
const turned: ExtremeSight = {
  notice: {
    turned: {
      colour: 'red',
      pile: [
        { seat: 'A', card: 9 },
        { seat: 'B', card: 40 },
      ],
      mistakes: 1,
    },
  },
};
const checked: ExtremeSight = { notice: { checked: { cost: 1 } } };

it('a game that a face-down pile ends shows that pile', () => {
  expect(storyOf([played, turned, checked, { notice: 'lost' }], empty, table)).toMatchObject({
    kind: 'turned',
    check: { mistakes: 1, cost: 1 },
    piles: [{ turned: true, cards: [{ face: { value: 9, colour: 'red' } }, { face: { value: 40, colour: 'red' } }] }],
  });
});

it('a level that is complete shows its piles and what the check found', () => {
  const completed: ExtremeSight = { notice: { completed: { level: 1, reward: 'life', one_sided: null } } };
  expect(storyOf([played, turned, checked, completed], empty, table)).toMatchObject({
    kind: 'completed',
    check: { mistakes: 1, cost: 1 },
    piles: [{ turned: false, cards: [] }, { turned: true }],
  });
});

it('a moment begins with the card that was laid, on the pile of its colour', () => {
  const before = { white: 'A3', red: 'A*' };
  expect(landingOf([played], before, { white: 'open', red: 'blind' })).toEqual({
    pile: [
      { seat: 'A', face: null },
      { seat: 'B', face: null },
    ],
    colour: 'red',
    blind: true,
    wrong: false,
  });
});
