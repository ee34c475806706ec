import { m } from '../../paraglide/messages';
import type { RoyaleByZone, RoyaleCard, RoyaleTriple } from '../../wire.gen';

/** The two halves of the board. */
export type Zone = keyof RoyaleByZone<unknown>;
/** One of the five colours or shapes, counted from 1 as on the wire. */
export type Kind = number;

export const ZONES: readonly Zone[] = ['colours', 'shapes'];
export const KINDS: readonly Kind[] = [1, 2, 3, 4, 5];

const NAMES: RoyaleByZone<(() => string)[]> = {
  colours: [m.ry_red, m.ry_yellow, m.ry_green, m.ry_brown, m.ry_blue],
  shapes: [m.ry_circle, m.ry_rectangle, m.ry_triangle, m.ry_square, m.ry_hexagon],
};
const SIGNS: RoyaleByZone<string> = { colours: 'ABCDE', shapes: '12345' };

export function kindName(zone: Zone, kind: Kind): string {
  return NAMES[zone][kind - 1]!();
}

/** The letter of a colour or the digit of a shape: what is typed for it. */
export function kindSign(zone: Zone, kind: Kind): string {
  return SIGNS[zone][kind - 1]!;
}

export function kindOfKey(zone: Zone, key: string): Kind | null {
  const index = key.length === 1 ? SIGNS[zone].indexOf(key.toUpperCase()) : -1;
  return index < 0 ? null : index + 1;
}

export function zoneName(zone: Zone): string {
  return zone === 'colours' ? m.ry_colours() : m.ry_shapes();
}

export function cardOf(colour: Kind, shape: Kind): RoyaleCard {
  return kindSign('colours', colour) + kindSign('shapes', shape);
}

export function kindOf(card: RoyaleCard, zone: Zone): Kind {
  return kindOfKey(zone, card.charAt(zone === 'colours' ? 0 : 1)) ?? 1;
}

export function cardName(card: RoyaleCard): string {
  const colour = kindName('colours', kindOf(card, 'colours'));
  return m.ry_card({ colour, shape: kindName('shapes', kindOf(card, 'shapes')) });
}

export function rowName(zone: Zone, row: RoyaleTriple): string {
  return row.map((kind) => kindName(zone, kind)).join(', ');
}
