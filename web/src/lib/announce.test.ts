import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addRegion, announce, announceAfter, lastSaid, spoken } from './announce.svelte';

beforeEach(() => {
  vi.useFakeTimers();
  spoken.lines = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const said = () => {
  vi.runAllTimers();
  return spoken.lines.map(({ text }) => text);
};

it('says all that one update brings in one line, in order', () => {
  announceAfter('Only your hand is missing');
  announce('Ben plays 40.', '', 'Mistake: one life lost.');
  announce('2 lives left');
  expect(said()).toEqual(['Ben plays 40. Mistake: one life lost. 2 lives left. Only your hand is missing.']);
});

it('says two updates in two lines', () => {
  announce('Ada plays 3.');
  vi.runAllTimers();
  announce('Ben plays 7.');
  expect(said()).toEqual(['Ada plays 3.', 'Ben plays 7.']);
  expect(lastSaid()).toBe('Ben plays 7.');
});

it('adds no line for nothing', () => {
  announce('', '');
  expect(said()).toEqual([]);
});

it('says nothing again when a dialog opens or closes', () => {
  announce('Ada plays 3.');
  vi.runAllTimers();
  const close = addRegion(2);
  expect([spoken.regions, spoken.lines]).toEqual([[2], []]);
  announce('Ben plays 7.');
  expect(said()).toEqual(['Ben plays 7.']);
  close();
  expect([spoken.regions, spoken.lines]).toEqual([[], []]);
  expect(lastSaid()).toBe('Ben plays 7.');
});
