import { fetched, type Problem } from '../lib/api';
import type { Code, DailyDeals, DailyTeam, GameName } from '../wire.gen';

export const loadDeals = (): Promise<DailyDeals | Problem> => fetched('/api/daily');

/** Opens a table for a deal of today. */
export const playDeal = (game: GameName, players: number): Promise<{ table: Code } | Problem> => fetched('/api/daily', { game, players });

/** How all teams did with a deal of a day. */
export const loadTeams = (day: string, game: GameName, players: number): Promise<DailyTeam[] | Problem> =>
  fetched(`/api/daily/${day}-${game}-${players}`);

/** The day before, both written as in `2026-11-18`. */
export function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

/** Whether a commitment is the SHA-256 hash of a seed's digits; `null` where the browser cannot tell. */
export async function isSeedOf(seed: string, commitment: string): Promise<boolean | null> {
  // Browsers hash on pages of https and of this machine alone.
  if (!('subtle' in crypto)) return null;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(seed));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('') === commitment;
}
