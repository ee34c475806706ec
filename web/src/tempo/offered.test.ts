import { expect, it } from 'vitest';
import type { Table, View } from '../wire.gen';
import { offersTempo } from './offered';

const OVER = { over: { outcome: 'won' } } as const;
const PLAYING = { playing: { missing: [], hold: [], end: [] } };

it.each([
  ['every-level', 2, PLAYING, true, true],
  ['every-level', 2, PLAYING, false, false],
  ['every-level', 1, PLAYING, true, false],
  ['after-game', 2, PLAYING, true, false],
  ['after-game', 1, OVER, true, true],
])('%s at level %i', (tempo_report, level, stage, talk, offered) => {
  const table = { stage, talk, setup: { mind: { manners: { tempo_report } } } } as unknown as Table;
  const view = { mind: { public: { level } } } as unknown as View;
  expect(offersTempo(table, view)).toBe(offered);
});
