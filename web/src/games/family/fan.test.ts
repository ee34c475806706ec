import { describe, expect, it } from 'vitest';
import { fanOf } from './fan';

const PHONE_PX = 360;
const CARD_PX = 97;

describe('a fan', () => {
  it('of twelve cards is one row on a phone', () => {
    expect(fanOf(12, PHONE_PX, CARD_PX).rows).toBe(1);
  });

  it.each([1, 2, 5, 12, 25, 33, 50])('of %i cards is symmetric, on the page, and shows every corner', (cards) => {
    const fan = fanOf(cards, PHONE_PX, CARD_PX);
    const places = Array.from({ length: cards }, (_, index) => fan.place(index));
    for (const { x } of places) expect(Math.abs(x) * CARD_PX + CARD_PX / 2).toBeLessThan(PHONE_PX / 2);
    if (cards > 1) expect(fan.step * CARD_PX).toBeGreaterThanOrEqual(16);
    expect(places[0]!.x + places[Math.ceil(cards / fan.rows) - 1]!.x).toBeCloseTo(0);
    for (const { above } of places) expect(above).toBeLessThanOrEqual(fan.rise);
  });

  it('of fifty cards is no higher than the front card is long', () => {
    expect(fanOf(50, PHONE_PX, CARD_PX * 0.78).rise).toBeLessThan(1.4);
  });

  it('that has not been measured yet has one row', () => {
    expect(fanOf(50, 0, 0).rows).toBe(1);
  });
});
