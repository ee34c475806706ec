import { describe, expect, it } from 'vitest';
import type { RoyaleTriple } from '../../wire.gen';
import { answer, readAids } from './aids';
import { cardOf, KINDS } from './kinds';

const WHOLE = KINDS.flatMap((colour) => KINDS.map((shape) => cardOf(colour, shape)));
const nothing = { colours: [], shapes: [] };

/** Pegs as a rulebook writes them, as in `1b2w`. */
function pegs(row: RoyaleTriple, code: RoyaleTriple): string {
  const { black, white } = answer(row, code);
  return `${black}b${white}w`;
}

describe('the answer to a row (Y3), with red, red, blue hidden', () => {
  it.each<[string, RoyaleTriple, string]>([
    ['red, blue, red', [1, 5, 1], '1b2w'],
    ['blue, blue, blue', [5, 5, 5], '1b0w'],
    ['yellow, green, brown', [2, 3, 4], '0b0w'],
    ['red, red, red', [1, 1, 1], '2b0w'],
    ['blue, red, red', [5, 1, 1], '1b2w'],
    ['red, red, blue', [1, 1, 5], '3b0w'],
  ])('%s', (_, row, expected) => expect(pegs(row, [1, 1, 5])).toBe(expected));
});

describe('the aids (Y10)', () => {
  it('count 13,800 codes in the whole pack', () => expect(readAids({ pack: WHOLE, rows: nothing }).count).toBe(13_800));

  it('count 24 codes in the last pack of four', () =>
    expect(readAids({ pack: ['A1', 'B2', 'C3', 'D4'], rows: nothing }).count).toBe(24));

  it('shade what no possible code holds', () => {
    const rows = { colours: [{ row: [1, 1, 2] as RoyaleTriple, pegs: { black: 0, white: 0 } }], shapes: [] };
    const { cards } = readAids({ pack: WHOLE, rows });
    expect([...cards].map((card) => card.charAt(0)).includes('A')).toBe(false);
    expect(cards.size).toBe(15);
  });

  it('suggest the only row that is left', () => {
    const rows = {
      colours: [{ row: [1, 2, 3] as RoyaleTriple, pegs: { black: 3, white: 0 } }],
      shapes: [{ row: [1, 1, 1] as RoyaleTriple, pegs: { black: 0, white: 0 } }],
    };
    expect(readAids({ pack: ['A2', 'A1', 'B3', 'B1', 'C4', 'C1'], rows }).suggestion).toEqual({ shapes: [2, 3, 4] });
  });

  it('suggest nothing in a zone that is solved', () => {
    const solved = [{ row: [1, 2, 3] as RoyaleTriple, pegs: { black: 3, white: 0 } }];
    expect(readAids({ pack: WHOLE, rows: { colours: solved, shapes: solved } }).suggestion).toBeNull();
  });
});
