import { partsOf } from '../games';
import { m } from '../paraglide/messages';
import type { Manners, Setup } from '../wire.gen';

/** What a table has agreed on beside the game itself. */
export function mannersOf(setup: Setup): Manners {
  return (partsOf(setup).inner as { manners: Manners }).manners;
}

/** How many a set-up is for. */
export function playersOf(setup: Setup): number {
  return (partsOf(setup).inner as { players: number }).players;
}

/** The gist of a set-up in words, as in "12 levels", "2 lives". */
export function gistOf(setup: Setup): string[] {
  const { game, inner } = partsOf(setup);
  return [...game.setup.gist(inner), ...(hasHouseRules(setup) ? [m.house_rules()] : [])];
}

/** The house rules of a set-up, each labelled as one. */
export function houseRulesOf(setup: Setup): string[] {
  const { game, inner } = partsOf(setup);
  return game.setup.house(inner).map((rule) => m.house_rule({ rule }));
}

export function hasHouseRules(setup: Setup): boolean {
  return houseRulesOf(setup).length > 0;
}

/** What else there is to say about it. */
export function restOf(setup: Setup): string[] {
  const { game, inner } = partsOf(setup);
  const manners = mannersOf(setup);
  const list = [...houseRulesOf(setup), ...game.setup.more(inner)];
  if (manners.photo_finish) list.push(m.photo_finish());
  list.push(manners.tempo_report === 'every-level' ? m.tempo_every_level() : m.tempo_after_game());
  if (manners.seeding === 'fixed') list.push(m.fixed_seed());
  if (manners.export) list.push(m.export_times());
  return list;
}
