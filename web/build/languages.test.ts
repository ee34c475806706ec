import { expect, it } from 'vitest';
import { demoSources, gameSources, homeSources, keys, lookedUp, moreSources, placesOf, tableSources } from './languages';

it('the home page needs a small part of the texts, and a table none of other pages or other games', () => {
  const { home, table, more, other, mind, royale } = keys();
  expect(home).toContain('headline');
  expect(home).toContain('record_title');
  expect(table).toContain('say_ready');
  expect(more).toEqual(expect.arrayContaining(['sound_first_says', 'host_lock', 'continue_with', 'propose_end']));
  expect(mind).toContain('mind_my_hand');
  expect(royale).toContain('ry_hide');
  const atTable = [...home, ...table, ...mind!];
  expect([...table, ...mind!].filter((key) => key.startsWith('ry_'))).toEqual([]);
  expect([...table, ...royale!].filter((key) => /^(mind|sm|extreme)_/.test(key))).toEqual([]);
  for (const key of ['guide_goal', 'learn_lead', 'record_less', 'replay_title', 'access_works', 'device_title']) {
    expect(other).toContain(key);
    expect([...atTable, ...more, ...royale!]).not.toContain(key);
  }
  expect(home.length).toBeGreaterThan(50);
  expect(table.length).toBeGreaterThan(50);
  expect(other.length).toBeGreaterThan(200);
});

it('the four levels have every text once', () => {
  const { home, table, more, other } = keys();
  const all = [...home, ...table, ...more, ...other];
  expect(new Set(all).size).toBe(all.length);
  expect(all.length).toBe(placesOf(keys()).size);
});

it('texts that the same pages need stand together', () => {
  const places = placesOf({ one: ['a', 'b', 'c'], two: ['b', 'd'], three: ['d', 'c'] });
  expect([...places.keys()]).toEqual(['a', 'b', 'c', 'd']);
  expect(placesOf({ one: ['a', 'b', 'c', 'e'], two: ['b', 'e'] })).toEqual(new Map(['a', 'c', 'b', 'e'].map((key, place) => [key, place])));
});

/** What the sources say and the parts that they are loaded with do not have. */
function lacking(sources: Map<string, string>, parts: string[][]): string[] {
  const known = new Set(parts.flat());
  return [...sources].flatMap(([path, text]) =>
    [...text.matchAll(/\bm\.([a-z0-9_]+)/g)]
      .map(([, key]) => key!)
      .filter((key) => !known.has(key))
      .map((key) => `${path}: ${key}`),
  );
}

it('a file has its texts wherever it is loaded', () => {
  const { home, table, more, other: _, ...games } = keys();
  const paths = (sources: Map<string, string>) => [...sources.keys()];
  expect(paths(tableSources()).filter((path) => /\/(Lobby|Play|AnyGame|Game)\.svelte$/.test(path)).length).toBe(3);
  expect(lacking(tableSources(), [home, table])).toEqual([]);
  expect(paths(moreSources()).filter((path) => /\/(Preferences|TableMenu|HostRoom|Continue)\.svelte$/.test(path)).length).toBe(4);
  expect(lacking(moreSources(), [home, table, more])).toEqual([]);
  expect(Object.keys(games).length).toBe(4);
  for (const [game, texts] of Object.entries(games)) {
    const sources = gameSources(game);
    expect(paths(sources).filter((path) => /\/(Game|MomentView)\.svelte$/.test(path)).length).toBe(2);
    expect(lacking(sources, [home, table, texts])).toEqual([]);
  }
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
  expect(new Set(imports)).toEqual(new Set(['withTexts(', 'withMoreTexts(', 'withAllTexts(']));
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
