import type { Cards } from '../../wire.gen';

/** Whether exactly these cards may be written. */
export function isOffered(offers: readonly Cards[], cards: readonly number[]): boolean {
  return offers.some((offer) => offer.length === cards.length && holds(offer, cards));
}

/** The choice after a card was pressed. A card too many takes the place of the one chosen first. */
export function pressed(offers: readonly Cards[], chosen: readonly number[], card: number): number[] {
  if (chosen.includes(card)) return chosen.filter((each) => each !== card);
  const more = [...chosen, card];
  while (more.length > 1 && !offers.some((offer) => holds(offer, more))) more.shift();
  return more;
}

function holds(offer: Cards, cards: readonly number[]): boolean {
  return cards.every((card) => offer.includes(card));
}
