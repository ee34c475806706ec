import { expect, it } from 'vitest';
import { resultText } from './ending';

it.each([
  ['won', { levels: 12, level: 12, lives: 2, cards: 0 }, 'All 12 levels, without a word. 2 lives to spare.'],
  ['won', { levels: 8, level: 8, lives: 1, cards: 0 }, 'All 8 levels, without a word. One life to spare.'],
  ['lost', { levels: 12, level: 11, lives: 0, cards: 4 }, '4 cards from the end of level 11.'],
  ['lost', { levels: 12, level: 11, lives: 0, cards: 1 }, 'One card from the end of level 11.'],
  ['lost', { levels: 12, level: 3, lives: 0, cards: 0 }, 'All cards of level 3 were played, but not all in order.'],
  ['ended', { levels: 12, level: 5, lives: 3, cards: 6 }, 'You reached level 5.'],
] as const)('%s with %o', (outcome, reached, says) => {
  expect(resultText(outcome, reached)).toBe(says);
});
