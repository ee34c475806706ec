import { m } from '../paraglide/messages';
import type { Manners, Setup } from '../wire.gen';

/** The gist of a set-up in words, as in "12 levels", "2 lives". */
export function gistOf(setup: Setup): string[] {
  if ('mind' in setup) return [m.count_levels({ count: setup.mind.levels }), m.count_lives({ count: setup.mind.lives }), m.count_stars({ count: setup.mind.stars })];
  if ('extreme' in setup) return [m.count_levels({ count: setup.extreme.table.length }), m.count_lives({ count: setup.extreme.lives }), m.count_stars({ count: setup.extreme.stars })];
  if ('soulmates' in setup) return [m.count_lives({ count: setup.soulmates.lives })];
  return [m.count_rounds({ count: setup.royale.rounds })];
}

/** What else there is to say about it. */
export function restOf(setup: Setup): string[] {
  const manners = (Object.values(setup)[0] as { manners: Manners }).manners;
  const list: string[] = [];
  if ('mind' in setup || 'extreme' in setup) {
    const cost = 'mind' in setup ? setup.mind.blind_cost : setup.extreme.blind_cost;
    list.push(`${m.blind_cost()}: ${cost === 'per-mistake' ? m.cost_per_mistake() : m.cost_one_per_level()}`);
  }
  if ('soulmates' in setup && typeof setup.soulmates.table === 'string') {
    list.push(`${m.level_cards()}: ${setup.soulmates.table === 'linear' ? m.level_cards_linear() : m.level_cards_gentle()}`);
  }
  if ('royale' in setup) {
    const { variant, players, unsolved, aids } = setup.royale;
    if (players === 2) list.push(variant === 'series' ? m.variant_series() : m.variant_alternate());
    list.push(`${m.unsolved_counts()}: ${unsolved}`);
    if (aids.count) list.push(m.aid_count());
    if (aids.shade) list.push(m.aid_shade());
    if (aids.suggest) list.push(m.aid_suggest());
  }
  if (manners.photo_finish) list.push(m.photo_finish());
  list.push(manners.tempo_report === 'every-level' ? m.tempo_every_level() : m.tempo_after_game());
  if (manners.seeding === 'fixed') list.push(m.fixed_seed());
  if (manners.export) list.push(m.export_times());
  return list;
}
