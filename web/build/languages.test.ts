import { expect, it } from 'vitest';
import { demoSources, homeSources, keys, lookedUp, tableSources } from './languages';

it('the home page needs a small part of the texts, and a table none of other pages', () => {
  const { home, table, other } = keys();
  expect(home).toContain('headline');
  expect(home).toContain('record_title');
  expect(table).toContain('mind_my_hand');
  for (const key of ['guide_goal', 'learn_lead', 'record_less', 'replay_title', 'access_works', 'device_title'])
    expect(other).toContain(key);
  expect(home.length).toBeGreaterThan(50);
  expect(table.length).toBeGreaterThan(2 * home.length);
  expect(other.length).toBeGreaterThan(200);
});

it('a file has its texts wherever it is loaded', () => {
  const { home, table } = keys();
  const known = new Set([...home, ...table]);
  const sources = [...tableSources()];
  expect(sources.map(([path]) => path).filter((path) => /\/(Lobby|Game|TableMenu|MomentView)\.svelte$/.test(path)).length).toBe(8);
  const missing = sources.flatMap(([path, text]) =>
    [...text.matchAll(/\bm\.([a-z0-9_]+)/g)]
      .map(([, key]) => key!)
      .filter((key) => !known.has(key))
      .map((key) => `${path}: ${key}`),
  );
  expect(missing).toEqual([]);
});

it('what the home page loads later comes with the rest of the texts', () => {
  // What a game loads is asked for by pages that have all texts.
  const parts = [...homeSources()].filter(([path]) => !/\/src\/games\/|language\.svelte\.ts$/.test(path));
  // Sounds and proofs of work have no texts, and the look for invitations loads its own.
  const later = parts
    .flatMap(([, text]) => [...text.matchAll(/(\w*\(?)import\('([^']+)'\)/g)])
    .filter(([, , name]) => name !== './synth' && name !== './proof' && name !== './people/Watch.svelte');
  const imports = later.map(([, before]) => before);
  expect(imports.length).toBeGreaterThan(5);
  expect(new Set(imports)).toEqual(new Set(['withTexts(', 'withAllTexts(']));
});

it('a demonstration uses no text that the home page does not load', () => {
  const home = new Set(keys().home);
  const used = [...demoSources().values()].flatMap((text) => [...text.matchAll(/\bm\.([a-z0-9_]+)/g)].map(([, key]) => key!));
  expect(used).toContain('demo_play');
  expect(used.filter((key) => !home.has(key))).toEqual([]);
});

it('a message is looked up by its place, and nothing else is touched', () => {
  const places = new Map([
    ['join', 3],
    ['join_title', 4],
  ]);
  const code = `import { m } from '../paraglide/messages';\nconst a = [m.join(), m.join_title({ m: b.m.join, am.join }), them.join];`;
  const [head, body] = lookedUp(code, places).split('\n');
  expect(head).toMatch(/^import \{ text as m \} from ".*\/lib\/language\.svelte\.ts";$/);
  expect(body).toBe('const a = [m(3)(), m(4)({ m: b.m.join, am.join }), them.join];');
});
