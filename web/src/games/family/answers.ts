import { listed, nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { Seat } from '../../wire.gen';
import type { Asker } from '../answers';
import type { OwnedCard } from './face';

/** The questions that all Mind games have, in the list of keys. */
export const TEXTS = { hand: m.keys_hand, pile: m.keys_pile, counts: m.keys_counts };

/** The keys that all Mind games are played with. */
export function familyKeys(): { key: string; text: string }[] {
  return [
    { key: m.keys_space(), text: m.keys_space_says() },
    { key: m.keys_enter(), text: m.keys_enter_says() },
    { key: m.keys_escape(), text: m.keys_escape_says() },
  ];
}

/** Cards in the order in which they may be played. */
export function tellHand(cards: string[], { locale }: Asker): string {
  return cards.length === 0 ? m.mind_no_cards() : m.sm_tell_dealt({ cards: listed(cards, locale) });
}

export function tellPile(pile: OwnedCard[], { table, seat }: Asker): string {
  const top = pile.at(-1);
  if (!top) return m.mind_pile_empty();
  const name = top.seat === seat ? m.you() : nameAt(table, top.seat);
  return `${top.face ? m.mind_pile_top({ value: top.face.value, name }) : m.mind_pile_back({ count: pile.length, name })}.`;
}

export function tellTeam({ level, lives, stars }: { level: number; lives: number; stars: number | null }): string {
  const counts = [m.count_lives({ count: lives }), ...(stars === null ? [] : [m.count_stars({ count: stars })])];
  return `${m.mind_level({ level })}. ${counts.join(', ')}.`;
}

/** As in "You: 2 cards. Ben: 3 cards." */
export function tellCounts(count: (seat: Seat) => number, { table, seat }: Asker): string {
  return table.chairs
    .map((chair) => `${chair.seat === seat ? m.keys_you() : nameAt(table, chair.seat)}: ${m.mind_cards({ count: count(chair.seat) })}.`)
    .join(' ');
}
