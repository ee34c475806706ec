import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');

it('every part that is loaded later says what happens when it does not come', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.svelte'));
  let parts = 0;
  for (const file of files) {
    const text = readFileSync(join(SOURCES, file), 'utf8');
    const awaits = [...text.matchAll(/\{#await (?!prove\()[\s\S]*?\{\/await\}/g)].map(([block]) => block);
    parts += awaits.length;
    expect(
      awaits.filter((block) => !block.includes('{:catch')),
      file,
    ).toEqual([]);
  }
  expect(parts).toBeGreaterThan(8);
});
