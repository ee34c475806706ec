import { describe, expect, it } from 'vitest';
import { drawing } from './drawing';
import { plain } from './face';

const all = Array.from({ length: 100 }, (_, index) => drawing(plain(index + 1)));

/** WCAG's contrast of two colours given as red, green and blue from 0 to 255. */
function contrast(one: number[], other: number[]): number {
  const light = (rgb: number[]) => {
    const [red, green, blue] = rgb.map((part) => (part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  };
  const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright! + 0.05) / (dark! + 0.05);
}

describe('a card', () => {
  it('has more and wider rings and a longer mark than one of a lower value', () => {
    for (const [index, card] of all.slice(1).entries()) {
      const before = all[index]!;
      expect(card.rings.length).toBeGreaterThanOrEqual(before.rings.length);
      expect(card.rings.at(-1)!.r).toBeGreaterThan(before.rings.at(-1)!.r);
      expect(card.mark).toBeGreaterThanOrEqual(before.mark);
    }
    expect([all[0]!.rings.length, all[99]!.rings.length, all[99]!.mark]).toEqual([1, 13, 100]);
  });

  it('has a number that can be read on its paper', () => {
    for (const { ink } of all) expect(contrast(ink.match(/\d+/g)!.map(Number), [251, 246, 234]), ink).toBeGreaterThan(4.5);
  });

  it('of Extreme fills its mark at 50', () => {
    expect(drawing({ value: 50, colour: 'red' }).mark).toBe(100);
    expect(drawing({ value: 25, colour: 'white' }).mark).toBe(50);
  });
});
