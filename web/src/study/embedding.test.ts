import { expect, it } from 'vitest';
import type { StudyPage } from '../wire.gen';
import { endMessage, isEmbedded, tellParent, type EmbeddedWindow } from './embedding';

const ended = {
  study: 'short',
  step: { ended: { end: 'completed', text: '', address: null, code: 'C0DE', results: [] } },
  embedders: ['https://lab.example.org', 'https://other.example.org'],
} as unknown as StudyPage;
const message = { type: 'unspoken-study', study: 'short', end: 'completed', code: 'C0DE', results: [] };

function embedded(ancestorOrigins?: string[]) {
  const posted: [unknown, string][] = [];
  const win: EmbeddedWindow = {
    parent: { postMessage: (message, origin) => posted.push([message, origin]) },
    location: ancestorOrigins ? { ancestorOrigins } : {},
  };
  return { win, posted };
}

it('the end is posted to the origins that the study names, and to no other', () => {
  const { win, posted } = embedded();
  tellParent(ended, win);
  expect(posted).toEqual([
    [message, 'https://lab.example.org'],
    [message, 'https://other.example.org'],
  ]);
});

it('where the browser tells who embeds the page, only to that origin', () => {
  const { win, posted } = embedded(['https://lab.example.org']);
  tellParent(ended, win);
  expect(posted).toEqual([[message, 'https://lab.example.org']]);
  const foreign = embedded(['https://foreign.example.org']);
  tellParent(ended, foreign.win);
  expect(foreign.posted).toEqual([]);
});

it('nothing is posted before the end, or by a page of its own', () => {
  const { win, posted } = embedded();
  tellParent({ ...ended, step: { playing: { table: 'k3f9ab', game: 1, games: 1, away: false } } }, win);
  const alone = { location: {} } as EmbeddedWindow;
  alone.parent = alone as unknown as EmbeddedWindow['parent'];
  expect(isEmbedded(alone)).toBe(false);
  tellParent(ended, alone);
  expect(posted).toEqual([]);
  expect(endMessage({ ...ended, step: { instructions: { pages: [] } } })).toBeNull();
});
