import { expect, it } from 'vitest';
import { lastOfOthers } from './talk';

const line = (id: number, seat: 'A' | 'B' | null, name: string) => ({ id, seat, name, text: '' });

it('what one says oneself is not unread', () => {
  const lines = [line(1, 'B', 'Ben'), line(2, 'A', 'Ada'), line(3, 'A', 'Ada')];
  expect(lastOfOthers(lines, { seat: 'A', name: 'Ada' })).toBe(1);
  expect(lastOfOthers(lines, { seat: 'B', name: 'Ben' })).toBe(3);
  expect(lastOfOthers(lines.slice(1), { seat: 'A', name: 'Ada' })).toBe(0);
});

it('spectators have no seat and are told apart by their names', () => {
  const lines = [line(1, null, 'Vera'), line(2, null, 'Wim')];
  expect(lastOfOthers(lines, { seat: null, name: 'Wim' })).toBe(1);
});
