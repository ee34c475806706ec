import { getContext, setContext } from 'svelte';
import type { Chair, Mark, MarkColour, Seat, Sitter } from '../wire.gen';
import { BOT_PICTURES, COLOURS, PICTURES, type Drawing } from './pictures';
import { SEATS } from './seats';

/** The mark of a seat as it is drawn at one table. */
export interface SeatDrawing {
  drawing: Drawing;
  colour: MarkColour;
}

type BySeatMarks = Partial<Record<Seat, SeatDrawing>>;

const DEFAULTS: Record<Seat, Mark> = {
  A: { picture: 'wave', colour: 'teal' },
  B: { picture: 'moon', colour: 'violet' },
  C: { picture: 'leaf', colour: 'green' },
  D: { picture: 'shell', colour: 'orange' },
  E: { picture: 'drop', colour: 'rose' },
  F: { picture: 'stone', colour: 'amber' },
};

/** The mark of a seat where no table says who sits there, as in the rules. */
export function defaultMark(seat: Seat): Mark {
  return DEFAULTS[seat];
}

/**
 * The marks around one table. People keep what they chose unless an earlier seat has the same: two
 * rings of one colour, or two moons, would be mistaken for each other. Bots take what people leave.
 */
export function marksAt(chairs: readonly Chair[]): BySeatMarks {
  const marks: BySeatMarks = {};
  const colours = new Set<MarkColour>();
  const drawings = new Set<Drawing>();
  const isPerson = ({ sitter }: Chair) => typeof sitter === 'object' && 'person' in sitter;
  for (const { seat, sitter } of [...chairs.filter(isPerson), ...chairs.filter((chair) => !isPerson(chair))]) {
    const wanted = wish(seat, sitter);
    const colour = freeFrom(COLOURS, wanted.colour, colours);
    const drawing = drawings.has(wanted.drawing) ? freeFrom(Object.values(PICTURES), wanted.drawing, drawings) : wanted.drawing;
    colours.add(colour);
    drawings.add(drawing);
    marks[seat] = { drawing, colour };
  }
  return marks;
}

function wish(seat: Seat, sitter: Sitter): SeatDrawing {
  const { picture, colour } = DEFAULTS[seat];
  if (sitter === 'empty') return { drawing: {}, colour };
  if ('person' in sitter) return { drawing: PICTURES[sitter.person.mark.picture], colour: sitter.person.mark.colour };
  if ('ghost' in sitter) return { drawing: BOT_PICTURES.ghost, colour };
  return { drawing: BOT_PICTURES[sitter.bot] ?? PICTURES[picture], colour };
}

/** The wanted one, or else the next in the list that is not taken. */
function freeFrom<T>(all: readonly T[], wanted: T, taken: ReadonlySet<T>): T {
  const start = Math.max(0, all.indexOf(wanted));
  return [wanted, ...all.slice(start), ...all.slice(0, start)].find((each) => !taken.has(each)) ?? wanted;
}

const KEY = Symbol('marks');

/** Lets all that is drawn inside know the marks of a table. */
export function provideMarks(marks: () => BySeatMarks): void {
  setContext(KEY, marks);
}

/** The mark of a seat at the table around. */
export function seatMarks(): (seat: Seat) => SeatDrawing {
  const marks = getContext<(() => BySeatMarks) | undefined>(KEY);
  return (seat) => marks?.()[seat] ?? wish(seat, { person: { mark: DEFAULTS[seat] } } as Sitter);
}

/** Gives an element the seats' colours, for everything inside that is drawn in one. */
export function seatColours(marks: BySeatMarks): (element: HTMLElement | SVGElement) => void {
  return (element) => {
    for (const seat of SEATS) {
      const name = `--seat-${seat.toLowerCase()}`;
      const mark = marks[seat];
      if (mark) element.style.setProperty(name, `var(--mark-${mark.colour})`);
      else element.style.removeProperty(name);
    }
  };
}
