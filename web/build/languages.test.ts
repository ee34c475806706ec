import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeSources, keys } from './languages';

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
