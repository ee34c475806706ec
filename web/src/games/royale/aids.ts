import type { RoyaleCard, RoyaleByZone, RoyalePegs, RoyalePublic, RoyaleRow, RoyaleRows, RoyaleTriple } from '../../wire.gen';
import { cardOf, KINDS, ZONES, type Zone } from './kinds';

/**
 * What the table reads out of what lies open to all (Y10). It permits and forbids nothing: it is
 * the pencil and paper of a codebreaker.
 */
export interface Aids {
  count: number;
  cards: ReadonlySet<RoyaleCard>;
  suggestion: RoyaleRow | null;
}

type Code = RoyaleByZone<RoyaleTriple>;

const TRIPLES: RoyaleTriple[] = KINDS.flatMap((a) => KINDS.flatMap((b) => KINDS.map((c): RoyaleTriple => [a, b, c])));

export function readAids({ pack, rows }: Pick<RoyalePublic, 'pack' | 'rows'>): Aids {
  const codes = possibleCodes(new Set(pack), rows);
  const cards = codes.flatMap(cardsOf);
  return { count: codes.length, cards: new Set(cards), suggestion: suggested(codes, rows) };
}

function possibleCodes(pack: ReadonlySet<RoyaleCard>, rows: RoyaleByZone<RoyaleRows>): Code[] {
  const fitting = (zone: Zone) =>
    TRIPLES.filter((triple) => rows[zone].every(({ row, pegs }) => same(answer(row, triple), pegs)));
  const shapes = fitting('shapes');
  return fitting('colours').flatMap((colours) =>
    shapes.map((triple) => ({ colours, shapes: triple })).filter((code) => isIn(pack, code)),
  );
}

function isIn(pack: ReadonlySet<RoyaleCard>, code: Code): boolean {
  const cards = cardsOf(code);
  return new Set(cards).size === 3 && cards.every((card) => pack.has(card));
}

function cardsOf({ colours, shapes }: Code): RoyaleCard[] {
  return colours.map((colour, place) => cardOf(colour, shapes[place]!));
}

/** The pegs for a row (Y3). */
export function answer(row: RoyaleTriple, code: RoyaleTriple): RoyalePegs {
  const black = row.filter((kind, place) => kind === code[place]).length;
  const count = (triple: RoyaleTriple, kind: number) => triple.filter((each) => each === kind).length;
  const pegs = KINDS.reduce((sum, kind) => sum + Math.min(count(row, kind), count(code, kind)), 0);
  return { black, white: pegs - black };
}

/** The row that leaves the fewest codes on average; among equals one that may be right itself. */
function suggested(codes: Code[], rows: RoyaleByZone<RoyaleRows>): RoyaleRow | null {
  const open = ZONES.filter((zone) => rows[zone].length < 8 && rows[zone].at(-1)?.pegs.black !== 3);
  const rated = open.flatMap((zone) => {
    const weights = new Map<string, { triple: RoyaleTriple; codes: number }>();
    for (const code of codes) {
      const known = weights.get(code[zone].join()) ?? { triple: code[zone], codes: 0 };
      weights.set(code[zone].join(), { ...known, codes: known.codes + 1 });
    }
    const candidates = [...weights.values()];
    return TRIPLES.map((row) => {
      const right = weights.get(row.join())?.codes ?? 0;
      return { zone, row, left: codesLeft(row, candidates) - right / codes.length };
    });
  });
  const best = rated.reduce<(typeof rated)[number] | null>((found, each) => (found && found.left <= each.left ? found : each), null);
  if (!best) return null;
  return best.zone === 'colours' ? { colours: best.row } : { shapes: best.row };
}

function codesLeft(row: RoyaleTriple, candidates: { triple: RoyaleTriple; codes: number }[]): number {
  const byAnswer = new Map<number, number>();
  for (const { triple, codes } of candidates) {
    const { black, white } = answer(row, triple);
    byAnswer.set(black * 4 + white, (byAnswer.get(black * 4 + white) ?? 0) + codes);
  }
  const counts = [...byAnswer.values()];
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.reduce((sum, count) => sum + (count * count) / all, 0);
}

function same(one: RoyalePegs, other: RoyalePegs): boolean {
  return one.black === other.black && one.white === other.white;
}
