import { expect, it } from 'vitest';
import { SPEEDS, type Place } from './player.svelte';
import { playbackOf, placeOf } from './together.svelte';

it.each([...SPEEDS])('a place at speed %d is the same for all viewers', (speed) => {
  for (const eyes of [0, 3, 'spectator', 'open'] as const) {
    const place: Place = { at: 1_234_567, index: 5, playing: true, speed, eyes };
    expect(placeOf(playbackOf(place))).toEqual(place);
  }
});

it('moments are whole microseconds on the wire', () => {
  expect(playbackOf({ at: 0.7, index: 0, playing: false, speed: 1, eyes: 'open' }).at).toBe(1);
});
