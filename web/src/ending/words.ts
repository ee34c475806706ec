import { tellDuration } from '../lib/duration';
import { nameAt } from '../lib/seats';
import { m } from '../paraglide/messages';
import type { LevelTempo, Moment, Table } from '../wire.gen';
import type { CloseCall, Stretch } from './summary';

/** Shorter times are not told in figures, in microseconds. */
const TENTH = 100_000;

/** How far two cards were apart. */
export function gapText(apart: Moment, locale: string): string {
  return apart < TENTH ? m.end_gap_least() : tellDuration(apart, locale);
}

/** The closest call without names, as in "52, then 53: 0.1 s apart". */
export function callText({ first, next, apart }: CloseCall, locale: string): string {
  return m.end_call({ first: first.card, next: next.card, gap: gapText(apart, locale) });
}

/** The closest call with names. */
export function closestText({ first, next, apart }: CloseCall, table: Table, locale: string): string {
  return m.end_closest({
    first: first.card,
    one: nameAt(table, first.seat),
    next: next.card,
    other: nameAt(table, next.seat),
    gap: gapText(apart, locale),
  });
}

export function stretchText({ cards, from, to }: Stretch): string {
  return from === to ? m.end_stretch_level({ count: cards, level: from }) : m.end_stretch({ count: cards, from, to });
}

export function levelText({ level, plays, length }: LevelTempo, locale: string): string {
  return m.end_level({ level, count: plays.length, time: tellDuration(length, locale) });
}
