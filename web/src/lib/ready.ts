import type { Request, Sitter } from '../wire.gen';

/** Whether somebody has said that they are ready; machines always are. */
export function isReady(sitter: Sitter): boolean {
  if (sitter === 'nobody') return false;
  return !('person' in sitter) || sitter.person.ready;
}

/** The request that says so, or takes it back. */
export function readiness(ready: boolean): Request {
  return ready ? 'ready' : 'unready';
}
