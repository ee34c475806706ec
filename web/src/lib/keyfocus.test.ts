import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { HOMES } from './keyfocus';

function components(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return components(path);
    return entry.name.endsWith('.svelte') ? [readFileSync(path, 'utf8')] : [];
  });
}

it('every home is on some page, and no page names another', () => {
  const named = components(join(import.meta.dirname, '..')).flatMap((text) =>
    [...text.matchAll(/data-home=(?:"(\w+)"|\{[^}]*\? '(\w+)')/g)].map(([, plain, chosen]) => plain ?? chosen!),
  );
  expect([...new Set(named)].sort()).toEqual(Object.keys(HOMES).sort());
});

it('a story goes to every home', () => {
  const story = readFileSync(join(import.meta.dirname, '../../e2e/keyfocus.spec.ts'), 'utf8');
  const calls = story.split('\n').filter((line) => /expectHomes?\(/.test(line));
  expect(Object.keys(HOMES).filter((home) => !calls.some((line) => line.includes(`'${home}'`)))).toEqual([]);
});
