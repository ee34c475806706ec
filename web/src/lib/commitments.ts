import type { Code, Table } from '../wire.gen';

const KEY = 'unspoken.commitments';
/** How many games are remembered. */
const MOST = 100;

/** The commitments that this browser was shown, by the game's id, the oldest first. */
function shown(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

/** Remembers the commitment of the game that is on, from the first update that has it. */
export function rememberCommitment(id: Code, { games, stage, commitment }: Table): void {
  if (!commitment || typeof stage !== 'object' || !('playing' in stage)) return;
  const game = `${id}-${games}`;
  const all = shown();
  if (game in all) return;
  const kept = Object.entries(all).slice(1 - MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...kept, [game, commitment]])));
  } catch {
    // Without storage the commitment is shown all the same, and not compared later.
  }
}

/** What this browser was shown when a game began; `null` if it was not there. */
export function rememberedCommitment(game: string): string | null {
  return shown()[game] ?? null;
}

/** The commitment to a seed: the SHA-256 hash of its digits. */
export async function commitmentOf(seed: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(seed));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a revealed seed proves of a game. */
export type Proof = 'hidden' | 'wrong' | 'right' | 'kept';

/**
 * Whether a seed fits its commitment, and whether that is what this browser was shown when the game began. `kept` means both.
 * Where the page was not loaded over a safe connection browsers do not hash: then nothing is claimed.
 */
export async function prove(game: string, commitment: string, seed: string | undefined): Promise<Proof> {
  if (!seed || !globalThis.crypto?.subtle) return 'hidden';
  const remembered = rememberedCommitment(game);
  if ((await commitmentOf(seed)) !== commitment || (remembered !== null && remembered !== commitment)) return 'wrong';
  return remembered === null ? 'right' : 'kept';
}
