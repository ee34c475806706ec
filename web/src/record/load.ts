import type { Problem } from '../lib/api';
import { refusalText } from '../lib/refusals';
import { m } from '../paraglide/messages';
import type { BotKind, Consent, GameName, GameResult, History, PlayRecord, SameDeal } from '../wire.gen';

const UNANSWERED: Problem = { code: 'no-connection', text: 'the server does not answer' };

const TEXTS: Record<string, () => string> = {
  'no-name': m.record_nobody,
  'no-team': m.record_no_team,
};

/** Where all that is kept of somebody is, to be saved. */
export const EXPORT = '/api/me/export';

/** What somebody looks for among their games. */
export interface Search {
  partner: string;
  game: GameName | '';
  result: GameResult | '';
  team: string | null;
  bot: BotKind | '';
}

/** All that somebody has played, or a team of theirs. */
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
  return TEXTS[problem.code]?.() ?? refusalText(problem);
}

async function asked<T>(path: string, sent: RequestInit = {}): Promise<T | Problem> {
  try {
    return (await (await fetch(path, sent)).json()) as T | Problem;
  } catch {
    return UNANSWERED;
  }
}
