import type { Chair, Mark, Seat, Table } from '../../wire.gen';

const person = (name: string, mark: Mark) => ({
  person: { name, mark, here: true, held: false, ready: true, alike: false, quality: null, unhurried: false },
});

/** The viewer of a demonstration, whose hand is at the lower edge. */
const OWN: Chair = { seat: 'A', sitter: person('Ada', { picture: 'wave', colour: 'teal' }) };

/** The other people of every demonstration. */
export const DEMO_CHAIRS: Chair[] = [
  { seat: 'B', sitter: person('Mia', { picture: 'moon', colour: 'violet' }) },
  { seat: 'C', sitter: person('Noah', { picture: 'leaf', colour: 'green' }) },
  { seat: 'D', sitter: person('Kim', { picture: 'shell', colour: 'orange' }) },
];

/** The parts of a table that is drawn without a server behind it: who sits there. */
export const DEMO_TABLE = { chairs: [OWN, ...DEMO_CHAIRS] } as Table;

/** How many cards of a script a seat still holds, after some of them were laid. */
export function left(plays: readonly string[], laid: number, seat: Seat): number {
  return plays.slice(laid).filter((play) => play.startsWith(seat)).length;
}
