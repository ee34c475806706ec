import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { prove, sha256, zeroBits } from './proof';

const hex = (words: Uint32Array) => [...words].map((word) => word.toString(16).padStart(8, '0')).join('');

test('the hash is SHA-256', () => {
  for (const text of ['', 'a', 'abc', '4294967295:4294967295', 'x'.repeat(55)]) {
    expect(hex(sha256(text))).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

test('zero bits are counted over words', () => {
  expect(zeroBits(Uint32Array.of(0, 0x00ffffff))).toBe(40);
  expect(zeroBits(Uint32Array.of(0x80000000, 0))).toBe(0);
});

test('what is found begins with as many zero bits as asked', async () => {
  const nonce = await prove(2894017655, 12);
  const hash = createHash('sha256').update(`2894017655:${nonce}`).digest('hex');
  expect(hash.startsWith('000')).toBe(true);
});
