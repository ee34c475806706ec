import { expect, it } from 'vitest';
import { Clock } from './clock';
import vectors from './clock.vectors.json';

it.each(vectors)('$name', ({ probes, asked, within }) => {
  const clock = new Clock();
  expect(clock.toServer(0)).toBeNull();
  for (const [sent, server, heard] of probes) clock.add(sent!, server!, heard!);
  for (const [local, answer, truth] of asked) {
    const found = clock.toServer(local!)!;
    expect(found).toBeCloseTo(answer!, 6);
    expect(Math.abs(found - truth!)).toBeLessThanOrEqual(within);
    expect(clock.toLocal(found)).toBeCloseTo(local!, 6);
  }
});

it('probes often at first, then rarely', () => {
  const clock = new Clock();
  const pauses = Array.from({ length: 40 }, (_, n) => {
    clock.add(n * 1_000, n * 1_000, n * 1_000 + 10);
    return clock.pause;
  });
  expect(pauses.slice(0, 8)).toEqual([150, 150, 150, 150, 150, 150, 150, 1_000]);
  expect(pauses.at(-1)).toBe(2_000);
});

it('takes no probe that was heard before it was sent', () => {
  const clock = new Clock();
  clock.add(100, 5_000, 90);
  clock.add(NaN, 5_000, 90);
  expect(clock.toServer(0)).toBeNull();
});
