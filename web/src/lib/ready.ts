import type { Request, Sitter } from '../wire.gen';

/** Whether the player of a seat is ready; bots always are. */
export function isReady(sitter: Sitter): boolean {
  if (sitter === 'empty') return false;
  return !('person' in sitter) || sitter.person.ready;
}

/** The request that says so, or takes it back. */
export function readiness(ready: boolean): Request {
  return ready ? 'ready' : 'unready';
}

/** Whether a player has said that they need a moment more than others. */
export function isUnhurried(sitter: Sitter): boolean {
  return typeof sitter === 'object' && 'person' in sitter && sitter.person.unhurried;
}
