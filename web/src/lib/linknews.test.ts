import { expect, it } from 'vitest';
import type { ConnectionState } from './connection';
import { LinkNews } from './linknews';

function said(...links: ConnectionState[]): string[] {
  const news = new LinkNews();
  return links.map((link) => news.hear(link)).filter((text) => text !== '');
}

it('says nothing of a connection that is made', () => {
  expect(said('closed', 'connecting', 'open')).toEqual([]);
  expect(said('connecting', 'waiting', 'connecting', 'open')).toEqual([]);
});

it('says once that it is lost, and that it is back', () => {
  const tries: ConnectionState[] = [
    'connecting',
    'open',
    'waiting',
    'connecting',
    'waiting',
    'connecting',
    'waiting',
    'connecting',
    'open',
  ];
  expect(said(...tries)).toEqual(['Connection lost. Trying again…', 'Connected again.']);
  expect(said(...tries, 'waiting')).toHaveLength(3);
});

it('says what the player can do', () => {
  expect(said('connecting', 'crowded', 'connecting', 'crowded')).toEqual(['Too many pages are open. Close one.']);
  expect(said('connecting', 'open', 'outdated')).toEqual(['A new version of Unspoken is ready.']);
});
