import { at } from '../../lib/seats';
import type { BySeat, Seat, Table } from '../../wire.gen';

/** How many cards each seat holds, known or not. */
export function countIn<Hand extends object>(
  hands: BySeat<Hand | number>,
  size: (hand: Hand) => number = (hand) => (hand as unknown[]).length,
): (seat: Seat) => number {
  return (seat) => {
    const hand = at(hands, seat) ?? 0;
    return typeof hand === 'number' ? hand : size(hand);
  };
}

/** How many cards all seats hold together. */
export function cardsLeft(table: Table, count: (seat: Seat) => number): number {
  return table.chairs.reduce((sum, { seat }) => sum + count(seat), 0);
}
