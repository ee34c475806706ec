import type { Problem } from '../lib/api';
import type { Replay } from '../wire.gen';
import { linkTo, to } from '../lib/base';

const UNANSWERED: Problem = { code: 'no-connection', text: 'the server does not answer' };

/** The whole game, in one answer. */
export async function loadReplay(id: string, key: string | null): Promise<Replay | Problem> {
  try {
    return (await (await fetch(to(`/api/replays/${encodeURIComponent(id)}${keyed(key)}`))).json()) as Replay | Problem;
  } catch {
    return UNANSWERED;
  }
}

/** Where the plays of a game are, for a spreadsheet. */
export function playsOf(id: string, key: string | null): string {
  return to(`/api/replays/${encodeURIComponent(id)}/plays.csv${keyed(key)}`);
}

/** A link that opens the game to everyone who has it. */
export async function makeLink(id: string): Promise<string | Problem> {
  try {
    const answer = await fetch(to(`/api/replays/${encodeURIComponent(id)}/link`), { method: 'POST' });
    const made = (await answer.json()) as { key: string } | Problem;
    return 'code' in made ? made : linkTo(`/replay/${id}?key=${made.key}`);
  } catch {
    return UNANSWERED;
  }
}

function keyed(key: string | null): string {
  return key === null ? '' : `?key=${encodeURIComponent(key)}`;
}
