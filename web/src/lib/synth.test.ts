import { describe, expect, it } from 'vitest';
import { SEATS } from './seats';
import { CUES } from './synth';
import { DROPS, DROP_SECONDS, LOOP_SECONDS } from './water';

describe('what is heard', () => {
  it.each(Object.entries(CUES))('%s can be heard and felt, and is over within three seconds', (_, { notes, vibration }) => {
    expect(notes.length).toBeGreaterThan(0);
    expect(vibration.length).toBeGreaterThan(0);
    for (const { at, seconds, hz, gain } of notes) {
      expect(at + seconds).toBeLessThanOrEqual(3);
      expect(hz).toBeGreaterThan(100);
      expect(gain).toBeLessThanOrEqual(0.2);
    }
    expect(vibration.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(1_000);
  });

  it('a card of each seat can be told apart: more than three semitones lie between two of them', () => {
    const pitches = SEATS.map((seat) => CUES[`card-${seat}`].notes[0]!.hz);
    for (const [index, hz] of pitches.slice(1).entries()) expect(hz / pitches[index]!).toBeGreaterThan(2 ** (3 / 12));
    for (const seat of SEATS) expect(CUES[`card-${seat}`].notes.every(({ at }) => at < 0.05)).toBe(true);
  });

  it('still water has no seam: its last drop is over before the loop is', () => {
    for (const { at } of DROPS) expect(at + DROP_SECONDS).toBeLessThan(LOOP_SECONDS);
  });
});
