import { describe, expect, it } from 'vitest';
import type { PhotoFinish, Seat } from '../../wire.gen';
import { CloseCalls, withClose } from './close';
import type { OwnedCard } from './face';
import type { Scene } from './scene';

const card = (seat: Seat, value: number): OwnedCard => ({ seat, face: { value, colour: null } });
const photo: PhotoFinish = { first: 'A', second: 'B', within_ms: 22 };
const close = { kind: 'close' as const, first: card('A', 12), second: card('B', 15) };

describe('a close call', () => {
  it('is told when the second of its cards lies', () => {
    const calls = new CloseCalls();
    expect(calls.see(photo, [card('A', 12)])).toBeNull();
    expect(calls.see(null, [card('B', 15)])).toEqual(close);
    expect(calls.see(null, [card('B', 20)])).toBeNull();
  });

  it('is told at once when both come together', () => {
    expect(new CloseCalls().see(photo, [card('A', 12), card('B', 15)])).toEqual(close);
  });

  it('is forgotten when the other press came to nothing', () => {
    const calls = new CloseCalls();
    calls.see(photo, [card('A', 12)]);
    expect(calls.see(null, [])).toBeNull();
    expect(calls.see(null, [card('B', 40)])).toBeNull();
  });

  it('comes before what its cards brought about', () => {
    const completed: Scene = { kind: 'completed', level: 1, reward: 'nothing', oneSided: null };
    const landed: Scene = { kind: 'landed', landing: { pile: [card('B', 15)], colour: null, blind: false, wrong: false } };
    expect(withClose(close, [landed, completed])).toEqual([close, completed]);
    expect(withClose(close, undefined)).toEqual([close]);
    expect(withClose(null, undefined)).toBeUndefined();
  });
});
