import type { Problem } from '../lib/api';
import { to } from '../lib/base';
import { refusalText } from '../lib/refusals.svelte';
import { m } from '../paraglide/messages';
import type { BotKind, Consent, GameName, GameResult, History, PlayRecord, SameDeal } from '../wire.gen';

const UNANSWERED: Problem = { code: 'no-connection', text: 'the server does not answer' };

/** The address of everything that is stored about the person, to be saved. */
export const EXPORT = to('/api/me/export');

/** What a person searches for among their games. */
export interface Search {
  partner: string;
  game: GameName | '';
  result: GameResult | '';
  team: string | null;
  bot: BotKind | '';
}

/** The record of a person, or of a team that they are in. */
export function loadRecord(team: string | null): Promise<PlayRecord | Problem> {
  return asked(team === null ? '/api/me/record' : `/api/teams/${encodeURIComponent(team)}`);
}

/** The games that fit, the latest first; those before the ones already known, if there are any. */
export function loadGames(search: Search, before: number | null): Promise<History | Problem> {
  const wanted = Object.entries({ ...search, before }).filter(([, value]) => value !== null && value !== '');
  return asked(`/api/me/games?${new URLSearchParams(wanted.map(([key, value]) => [key, String(value)]))}`);
}

export function loadDeal(game: string): Promise<SameDeal | Problem> {
  return asked(`/api/me/games/${encodeURIComponent(game)}/deal`);
}

export function loadConsent(): Promise<Consent | Problem> {
  return asked('/api/me/consent');
}

export function giveConsent(consent: Consent): Promise<Consent | Problem> {
  return asked('/api/me/consent', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(consent) });
}

export function problemText(problem: Problem): string {
  return problem.code === 'no-name' ? m.record_no_name() : refusalText(problem);
}

async function asked<T>(path: string, sent: RequestInit = {}): Promise<T | Problem> {
  try {
    return (await (await fetch(to(path), sent)).json()) as T | Problem;
  } catch {
    return UNANSWERED;
  }
}
