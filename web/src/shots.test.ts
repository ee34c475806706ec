import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SHOTS } from '../e2e/shots';

const STORIES = join(import.meta.dirname, '../e2e');

/** The pictures that stories take, by the names they give them. */
function taken(): string[] {
  const files = readdirSync(STORIES).filter((file) => file.endsWith('.spec.ts'));
  return files.flatMap((file) => {
    const text = readFileSync(join(STORIES, file), 'utf8');
    return [...text.matchAll(/\b(?:picture\([^,]+, |shoot\([^,]+, '[a-z]+', )'([a-z-]+)'/g)].map((match) => match[1]!);
  });
}

it('every state has a picture, and is taken once', () => {
  expect(SHOTS.length).toBeGreaterThan(40);
  expect(taken().sort()).toEqual([...SHOTS].sort());
});
