import type { BySeat, Cards, ExtremeColour, ExtremeHolding, Laid, Seat, Table } from '../../wire.gen';
import { bySeat } from '../../lib/seats';

/** A card's face; the cards of The Mind and Soulmates have no colour. */
export interface Face {
  value: number;
  colour: ExtremeColour | null;
}

/** A card on a pile and who laid it; without a face it shows its back. */
export interface OwnedCard {
  seat: Seat;
  face: Face | null;
}

export function plain(value: number): Face {
  return { value, colour: null };
}

export function laid({ seat, card }: Laid, colour: ExtremeColour | null = null): OwnedCard {
  return { seat, face: { value: card, colour } };
}

/** What lies before all seats, in the order in which it should have been played. */
export function owned(cards: BySeat<Cards>, table: Table): OwnedCard[] {
  return inOrder(bySeat(cards, table).flatMap(({ seat, value }) => value.map((card) => laid({ seat, card }))));
}

/** The same in two colours, white first. */
export function ownedColours(cards: BySeat<ExtremeHolding>, table: Table): OwnedCard[] {
  const all = bySeat(cards, table);
  return [
    ...inOrder(all.flatMap(({ seat, value }) => value.white.map((card) => laid({ seat, card }, 'white')))),
    ...inOrder(all.flatMap(({ seat, value }) => value.red.map((card) => laid({ seat, card }, 'red')))),
  ];
}

function inOrder(cards: OwnedCard[]): OwnedCard[] {
  return cards.sort((one, other) => rankOf(one.face) - rankOf(other.face));
}

/** White goes up, red goes down. */
function rankOf(face: Face | null): number {
  if (!face) return 0;
  return face.colour === 'red' ? -face.value : face.value;
}

/** Cards that came after one that they should have come before; red goes down. */
export function outOfOrder(pile: OwnedCard[]): Set<number> {
  const late = new Set<number>();
  let furthest = -Infinity;
  pile.forEach(({ face }, index) => {
    if (!face) return;
    const rank = rankOf(face);
    if (rank < furthest) late.add(index);
    furthest = Math.max(furthest, rank);
  });
  return late;
}
