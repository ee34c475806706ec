import { botName, listed } from '../lib/seats';
import { m } from '../paraglide/messages';
import type { Participant, GameResult, GameSummary } from '../wire.gen';

/** Between facts: a line may end after it, and none begins with it. */
export const DOT = '\u00a0· ';

export const RESULTS: readonly GameResult[] = ['won', 'lost', 'early'];

export const RESULT_NAMES: Record<GameResult, () => string> = {
  won: m.record_won,
  lost: m.record_lost,
  early: m.record_early,
};

/** The name of a participant. */
export function nameOf(companion: Participant): string {
  if (companion === 'you') return m.record_you();
  if (companion === 'someone') return m.record_someone();
  if (companion === 'empty') return m.record_empty_chair();
  if (companion === 'ghost') return m.ghost_unnamed();
  return 'bot' in companion ? botName(companion.bot) : companion.named.name;
}

/** The participants without the reader, as in "Ben and Kindred"; `null` if there is no other. */
export function othersOf(people: Participant[], locale: string): string | null {
  const others = people.filter((each) => each !== 'you' && each !== 'empty').map(nameOf);
  return others.length === 0 ? null : listed(others, locale);
}

/** How far a game came, in a few words. */
export function reachedBy({ reached, chairs }: GameSummary, locale: string): string[] {
  if ('points' in reached) {
    const points = reached.points.map((count, seat) => `${nameOf(chairs[seat] ?? 'empty')} ${count}`);
    return [m.record_points({ list: listed(points, locale) })];
  }
  const { level, of, beyond, lives, stars } = reached.level;
  const left = [m.count_lives({ count: lives }), ...(stars === null ? [] : [m.count_stars({ count: stars })])];
  return [
    m.record_level({ level, of }),
    ...(beyond > 0 ? [m.record_beyond({ levels: m.count_levels({ count: beyond }) })] : []),
    m.record_left({ what: listed(left, locale) }),
  ];
}

/** By what a game is named in an address. */
export function idOf({ table, number }: { table: string; number: number }): string {
  return `${table}-${number}`;
}
