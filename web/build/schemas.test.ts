import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { text } from './schemas.js';

it('has fresh schemas of the server’s types: run cargo xtask gen', () => {
  const kept = readFileSync(new URL('../../crates/wire/schemas.gen.json', import.meta.url), 'utf8');
  expect(Object.keys(JSON.parse(kept) as object).length).toBeGreaterThan(100);
  expect(text()).toBe(kept);
}, 120_000);
