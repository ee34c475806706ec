import { expect, it } from 'vitest';
import type { Seat, Sitter, Table } from '../wire.gen';
import { arrivalNews, lobbyNews } from './lobbynews';

const person = (name: string, ready = false): Sitter => ({
  person: {
    name,
    here: true,
    held: false,
    ready,
    alike: false,
    quality: null,
    unhurried: false,
    mark: { picture: 'moon' as const, colour: 'amber' as const },
  },
});
const bot: Sitter = { bot: 'kindred' };

function lobby(...sitters: Sitter[]): Table {
  const chairs = sitters.map((sitter, index) => ({ seat: 'ABCD'.charAt(index) as Seat, sitter }));
  return { chairs, host: 'A' } as unknown as Table;
}

it('says who comes, who is ready and who goes', () => {
  expect(lobbyNews(lobby(person('Ada'), 'empty', 'empty'), lobby(person('Ada'), person('Ben'), 'empty'), 'A')).toEqual(['Ben sits down.']);
  expect(lobbyNews(lobby(person('Ada'), person('Ben')), lobby(person('Ada'), person('Ben', true)), 'A')).toEqual(['Ben is ready.']);
  expect(lobbyNews(lobby(person('Ada'), person('Ben')), lobby(person('Ada'), 'empty'), 'A')).toEqual(['Ben leaves the seat.']);
});

it('tells the host, and the host alone, that the game can start', () => {
  const before = lobby(person('Ada'), 'empty');
  const now = lobby(person('Ada'), bot);
  expect(lobbyNews(before, now, 'A')).toEqual(['Bot B sits down.', 'All seats are taken. You can start.']);
  expect(lobbyNews(before, now, null)).toEqual(['Bot B sits down.']);
});

it('says nothing of what the viewer did, or of what stays the same', () => {
  expect(lobbyNews(lobby(person('Ada'), person('Ben')), lobby(person('Ada'), person('Ben', true)), 'B')).toEqual([]);
  expect(lobbyNews(lobby(person('Ada'), 'empty'), lobby(person('Ada'), 'empty'), 'A')).toEqual([]);
});

it('tells a player who has sat down that they have a seat, and who starts', () => {
  expect(arrivalNews(lobby(person('Ada'), person('Ben')), 'B')).toEqual(['You have a seat.', 'Ada starts the game.']);
  expect(arrivalNews(lobby(person('Ada'), bot), 'A')).toEqual(['You have a seat.', 'All seats are taken. You can start.']);
  expect(arrivalNews(lobby(person('Ada'), 'empty'), 'A')[1]).toContain('1 seat is still free');
});
