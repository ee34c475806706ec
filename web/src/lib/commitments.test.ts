import { beforeEach, expect, test, vi } from 'vitest';
import type { Table } from '../wire.gen';
import { commitmentOf, prove, rememberCommitment, rememberedCommitment } from './commitments';

const SEED = '00'.repeat(32);
// printf %s 0000…0000 | sha256sum
const HASH = '60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
  });
});

function playing(games: number, commitment: string): Table {
  const stage = { playing: { missing: [], hold: [], end: [], paused: [] } };
  return { code: 'k3f9ab', games, stage, commitment } as unknown as Table;
}

test('a seed is hashed as the server hashes it', async () => {
  expect(await commitmentOf(SEED)).toBe(HASH);
});

test('the first commitment of a game is remembered', () => {
  rememberCommitment('k3f9ab', playing(1, HASH));
  rememberCommitment('k3f9ab', playing(1, 'another'));
  expect(rememberedCommitment('k3f9ab-1')).toBe(HASH);
  expect(rememberedCommitment('k3f9ab-2')).toBeNull();
});

test('a hundred games are remembered, the newest ones', () => {
  for (let game = 1; game <= 102; game++) rememberCommitment('k3f9ab', playing(game, `${game}`));
  expect(rememberedCommitment('k3f9ab-2')).toBeNull();
  expect(rememberedCommitment('k3f9ab-3')).toBe('3');
  expect(rememberedCommitment('k3f9ab-102')).toBe('102');
});

test('a seed proves what was shown, and nothing if it fits another hash', async () => {
  expect(await prove('k3f9ab-1', HASH, undefined)).toBe('hidden');
  expect(await prove('k3f9ab-1', HASH, SEED)).toBe('right');
  expect(await prove('k3f9ab-1', HASH, '11'.repeat(32))).toBe('wrong');
  rememberCommitment('k3f9ab', playing(1, HASH));
  expect(await prove('k3f9ab-1', HASH, SEED)).toBe('kept');
  rememberCommitment('k3f9ab', playing(2, 'another'));
  expect(await prove('k3f9ab-2', HASH, SEED)).toBe('wrong');
});
