import { expect, it } from 'vitest';
import { GAME_NAMES, GAMES } from '../games';
import type { Table } from '../wire.gen';
import { LETTERS, tellPresent } from './questions';

const person = (name: string, here: boolean) => ({
  person: {
    name,
    here,
    held: false,
    ready: true,
    quality: null,
    unhurried: false,
    alike: false,
    mark: { picture: 'moon' as const, colour: 'amber' as const },
  },
});
const table = {
  chairs: [
    { seat: 'A', sitter: person('Ada', true) },
    { seat: 'B', sitter: person('Ben', false) },
    { seat: 'C', sitter: { bot: 'kindred' } },
  ],
} as unknown as Table;

it('tells who is connected, and who is not', () => {
  expect(tellPresent({ table, seat: 'A', locale: 'en' })).toBe('Connected: Ada and Bot C. Not connected: Ben.');
});

it('no letter that asks is typed for a colour or a shape', () => {
  expect(Object.keys(LETTERS).filter((letter) => 'abcde12345'.includes(letter))).toEqual([]);
});

it.each(GAME_NAMES)('%s has a text for every question, and keys', async (name) => {
  const { answers } = await GAMES[name].answers();
  const texts = Object.values(answers.topics).map(({ text }) => text());
  expect(new Set(texts).size).toBe(4);
  expect(answers.keys().length).toBeGreaterThan(0);
});
