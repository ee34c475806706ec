import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { demoSources, homeSources, keys, lookedUp } from './languages';

it('the home page needs a small part of the texts', () => {
  const { home, rest, guide } = keys();
  expect(home).toContain('headline');
  expect(home).toContain('record_title');
  expect(guide).toContain('guide_goal');
  expect(home.length).toBeGreaterThan(50);
  expect(rest.length).toBeGreaterThan(2 * home.length);
  expect(guide.length).toBeGreaterThan(50);
});

it('only rules pages and lessons use what they alone load', () => {
  const folder = join(import.meta.dirname, '../src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /^(?!paraglide).*(?<!\.test)\.(svelte|ts)$/.test(file),
  );
  const users = files.filter((file) => /\bm\.(guide|learn)_/.test(readFileSync(join(folder, file), 'utf8')));
  expect(users.length).toBeGreaterThan(5);
  expect(
    users.filter((file) => !/Guide\.svelte$|coach\.ts$|^rules\/|^pages\/(Coach|LearnPage|LessonPage|RulesPage)\.svelte$/.test(file)),
  ).toEqual([]);
});

it('what the home page loads later comes with the rest of the texts', () => {
  // What a game loads is asked for by pages that have all texts.
  const parts = [...homeSources()].filter(([path]) => !/\/games\/|language\.svelte\.ts$/.test(path));
  // Sounds and proofs of work have no texts.
  const later = parts
    .flatMap(([, text]) => [...text.matchAll(/(\w*\(?)import\('([^']+)'\)/g)])
    .filter(([, , name]) => name !== './synth' && name !== './proof');
  const imports = later.map(([, before]) => before);
  expect(imports.length).toBeGreaterThan(5);
  expect(new Set(imports)).toEqual(new Set(['withTexts(', 'withGuide(']));
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
