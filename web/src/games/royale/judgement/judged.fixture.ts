import type { JudgedRow, Seat } from '../../../wire.gen';

export const exactly = (value: number) => ({ least: value, most: value });

/** A row with its expected numbers of rows: by the best play before it, as it was asked, and after it. */
export function judgedRow(seat: Seat, before: number, asked: number, after: number): JudgedRow {
  return {
    seat,
    row: { colours: [1, 2, 2] },
    pegs: { black: 1, white: 1 },
    codes_before: 100,
    codes_after: 10,
    cards_after: [],
    best: { colours: [1, 2, 3] },
    before: exactly(before),
    asked: exactly(asked),
    after: exactly(after),
    cost: exactly(asked - before),
  };
}
