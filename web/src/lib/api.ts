import type { CheckedSetup, Code, GameName, Lender, Listing, Mark, Me, NamedSetup, Preset, SeatedTable, Setup } from '../wire.gen';

import type { Problem } from './problem';
import { to } from './base';

export type { Problem };

export type Wish = { game: GameName; players: number; preset: Preset; public: boolean } | { setup: Setup; public: boolean };

/** The person of the cookie; `null` if there is none, `undefined` if the server does not answer. */
export async function me(): Promise<Me | null | undefined> {
  const answer = await fetched<Me | null>('/api/me');
  return answer && 'code' in answer ? undefined : answer;
}

/** Takes a name, and a mark if one is chosen. Where many new people came from, the server asks the page for some work first. */
export async function name(name: string, mark: Mark | null): Promise<Me | Problem> {
  const wish = mark ? { name, mark } : { name };
  const answer = await fetched<Me>('/api/me', wish);
  if (!('code' in answer) || answer.code !== 'proof') return answer;
  const { prove } = await import('./proof');
  const nonce = await prove(answer.challenge, answer.bits);
  return fetched('/api/me', { ...wish, proof: { challenge: answer.challenge, nonce } });
}

/** Forgets who the cookie belongs to; gives back what is wrong, if anything. */
export async function forget(): Promise<Problem | null> {
  try {
    const answer = await fetch(to('/api/me'), { method: 'DELETE' });
    return answer.ok ? null : ((await answer.json()) as Problem);
  } catch {
    return UNANSWERED;
  }
}

export function open(wish: Wish): Promise<{ table: Code } | Problem> {
  return fetched('/api/tables', wish);
}

/** Opens a table for a lesson: it is set up, and play has begun. */
export function learn(game: GameName): Promise<{ table: Code } | Problem> {
  return fetched('/api/lessons', { game });
}

/** A link to the people who run the server; `null` if they have named none or the server does not answer. */
export async function contact(): Promise<string | null> {
  const answer = await fetched<{ contact: string | null }>('/api/operator');
  return 'code' in answer ? null : answer.contact;
}

/** Everything that can be played under a name. */
export function setups(): Promise<NamedSetup[] | Problem> {
  return fetched('/api/setups');
}

/** Whether a set-up can be played, with another level table in the game's notation if one is given. */
export function checkSetup(setup: Setup, table?: string): Promise<CheckedSetup | Problem> {
  return fetched('/api/setups/check', table === undefined ? { setup } : { setup, table });
}

/** The people this person has played with who lend their tempo. */
export async function lenders(): Promise<Lender[]> {
  const answer = await fetched<Lender[]>('/api/ghosts');
  return 'code' in answer ? [] : answer;
}

export async function tables(): Promise<Listing[]> {
  const answer = await fetched<Listing[]>('/api/tables');
  return 'code' in answer ? [] : answer;
}

/** The tables where we have a seat in a game that is on. */
export async function seatedTables(): Promise<SeatedTable[]> {
  const answer = await fetched<SeatedTable[]>('/api/me/tables');
  return 'code' in answer ? [] : answer;
}

const UNANSWERED: Problem = { code: 'no-connection', text: 'the server does not answer' };

/** What the server answers, or what is in the way. */
export async function fetched<T>(path: string, body?: unknown): Promise<T | Problem> {
  const sent: RequestInit =
    body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    return (await (await fetch(to(path), sent)).json()) as T | Problem;
  } catch {
    return UNANSWERED;
  }
}
