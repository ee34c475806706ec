import type { ExtremeColour, Seat, Seen, SeenPile } from '../../wire.gen';
import type { OwnedCard } from './face';

/** Reads a card on a pile in its notation: `B34`, or `B*` for a back. */
export function readSeen(seen: Seen, colour: ExtremeColour | null = null): OwnedCard {
  const value = seen.slice(1);
  return { seat: seen.charAt(0) as Seat, face: value === '*' ? null : { value: Number(value), colour } };
}

/** Reads a pile in its notation: `A7,B*,B34`, and `-` for no card. */
export function readPile(pile: SeenPile, colour: ExtremeColour | null = null): OwnedCard[] {
  return pile === EMPTY_PILE ? [] : pile.split(',').map((seen) => readSeen(seen, colour));
}

export const EMPTY_PILE: SeenPile = '-';

/** A card, or a pile, as those see it who did not lay it face down. */
export function turnedDown(seen: Seen | SeenPile): Seen | SeenPile {
  return seen.replace(/\d+/g, '*');
}

/** A hand that the viewer knows; `null` for one of which only the number of cards is known. */
export function knownHand<Hand extends object>(hand: Hand | number | null | undefined): Hand | null {
  return typeof hand === 'object' ? hand : null;
}
