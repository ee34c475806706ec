import type { ExtremeColour, SeenPile } from '../../wire.gen';
import type { OwnedCard } from './face';
import { readPile } from './seen';

/** A pile of which the viewer did not know every card, turned over; none if they knew it. */
export function turnedOver(seen: SeenPile, known: SeenPile, colour: ExtremeColour | null = null): OwnedCard[][] {
  return seen.includes('*') ? [readPile(known, colour)] : [];
}
