/** Lengths are shares of a card's width, unless their name ends in `Px`. */

/** How much lower the outer cards stand, at most. */
export const BOW = 0.16;
/** Cards that are less apart than this have smaller numbers in their corners. */
export const STEP_TIGHT = 0.3;
/** The most that two cards are apart. */
const STEP_MOST = 0.62;
/** Closer than this, the number in a corner is covered: the hand takes another row. */
const STEP_LEAST = 0.19;
const STEP_LEAST_PX = 16;
/** How much of a row is seen above the row before it, and how much more above the card that is raised. */
const ROW = 0.31;
const RAISED = 0.14;
/** In degrees: how far the outer cards are turned, at most, and for each card. */
const TURN_MOST = 11;
const TURN_EACH = 2.4;
/** The size of each card in hands of at least this many cards. */
const SIZES = [
  { cards: 37, size: 0.78 },
  { cards: 21, size: 0.88 },
] as const;

/** Where a card stands: right of the middle, above the front row, and its turn in degrees. */
export interface Place {
  x: number;
  above: number;
  turn: number;
}

export interface Fan {
  rows: number;
  /** Of a card in this hand, where 1 is that of a small hand. */
  size: number;
  /** Between two cards of a row. */
  step: number;
  /** Of the bow, from 0 for one card to 1. */
  depth: number;
  /** How far the last row stands above the front row. */
  rise: number;
  place: (index: number) => Place;
}

/** The fan of a hand with this number of cards; the next card to be played comes first. */
export function fanOf(cards: number, widthPx: number, cardPx: number): Fan {
  const turnMost = Math.min(TURN_MOST, TURN_EACH * (cards - 1));
  // A turned card is wider than one that stands straight.
  const wide = 1 + 1.4 * Math.sin((turnMost * Math.PI) / 180);
  const room = cardPx === 0 ? 0 : Math.max(0, widthPx / cardPx - wide);
  const least = cardPx === 0 ? STEP_LEAST : Math.max(STEP_LEAST, STEP_LEAST_PX / cardPx);
  const rows = cardPx === 0 ? 1 : Math.max(1, Math.ceil(cards / (Math.floor(room / least) + 1)));
  const inRow = Math.ceil(cards / rows);
  const step = inRow < 2 ? 0 : Math.min(STEP_MOST, room / (inRow - 1));
  const edge = (step * (inRow - 1)) / 2;
  const depth = Math.min(1, inRow / 6);
  const aboveOf = (row: number) => (row === 0 ? 0 : RAISED + row * ROW);
  return {
    rows,
    size: SIZES.find((each) => cards >= each.cards)?.size ?? 1,
    step,
    depth,
    rise: aboveOf(rows - 1),
    place(index) {
      const row = Math.floor(index / inRow);
      const count = Math.min(inRow, cards - row * inRow);
      const x = step * ((index % inRow) - (count - 1) / 2);
      const at = edge === 0 ? 0 : x / edge;
      return { x, above: aboveOf(row) - BOW * depth * at * at, turn: at * turnMost };
    },
  };
}
