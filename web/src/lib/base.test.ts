import { expect, test } from 'vitest';
import { below, to } from './base';

test('a page at the root has its places as they are', () => {
  expect(to('/me')).toBe('/me');
  expect(below('/table/k3f9ab')).toBe('/table/k3f9ab');
});

test('below a path, its places lie under it and others do not', () => {
  expect(below('/games/unspoken/table/k3f9ab', '/games/unspoken')).toBe('/table/k3f9ab');
  expect(below('/games/unspoken', '/games/unspoken')).toBe('/');
  expect(below('/games/unspoken/', '/games/unspoken')).toBe('/');
  expect(below('/games/unspokenly', '/games/unspoken')).toBeNull();
  expect(below('/me', '/games/unspoken')).toBeNull();
});

test('no address of ours is written without the base path', () => {
  const sources = import.meta.glob<string>(['../**/*.svelte', '../**/*.ts', '!../**/*.test.ts', '!../paraglide/**'], {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  expect(Object.keys(sources).length).toBeGreaterThan(100);
  for (const [file, text] of Object.entries(sources)) {
    const bare = /href="\/|href=\{['`]\/|fetch\(['`]\/|location\.origin\}\//.exec(text);
    expect(bare?.[0], `${file} writes an address without to() or linkTo()`).toBeUndefined();
  }
});
