import type { Code, GameName, Lender, Listing, Me, Offered, Preset, Setup } from '../wire.gen';

export interface Problem {
  code: string;
  text: string;
}

export type Wish =
  | { game: GameName; players: number; preset: Preset; public: boolean }
  | { setup: Setup; public: boolean };

/** Who the cookie belongs to; `null` for nobody, `undefined` if the server does not say. */
export async function me(): Promise<Me | null | undefined> {
  const answer = await fetched<Me>('/api/me');
  if (!('code' in answer)) return answer;
  return answer.code === 'no-name' ? null : undefined;
}

export function name(name: string): Promise<Me | Problem> {
  return fetched('/api/me', { name });
}

/** Forgets who the cookie belongs to; gives back what is wrong, if anything. */
export async function forget(): Promise<Problem | null> {
  try {
    const answer = await fetch('/api/me', { method: 'DELETE' });
    return answer.ok ? null : ((await answer.json()) as Problem);
  } catch {
    return UNANSWERED;
  }
}

export function open(wish: Wish): Promise<{ table: Code } | Problem> {
  return fetched('/api/tables', wish);
}

/** Opens a table where somebody learns a game: it is set, and play has begun. */
export function learn(game: GameName): Promise<{ table: Code } | Problem> {
  return fetched('/api/lessons', { game });
}

/** Everything that can be played under a name. */
export function setups(): Promise<Offered[] | Problem> {
  return fetched('/api/setups');
}

/** Those who lend their tempo, among whoever we have played with. */
export async function lenders(): Promise<Lender[]> {
  const answer = await fetched<Lender[]>('/api/ghosts');
  return 'code' in answer ? [] : answer;
}

export async function tables(): Promise<Listing[]> {
  const answer = await fetched<Listing[]>('/api/tables');
  return 'code' in answer ? [] : answer;
}

const UNANSWERED: Problem = { code: 'no-connection', text: 'the server does not answer' };

/** What the server answers, or what is in the way. */
export async function fetched<T>(path: string, body?: unknown): Promise<T | Problem> {
  const sent: RequestInit =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  try {
    return (await (await fetch(path, sent)).json()) as T | Problem;
  } catch {
    return UNANSWERED;
  }
}
