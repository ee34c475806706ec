import type { Request, Sitter } from '../wire.gen';

/** Whether somebody has said that they are ready; machines always are. */
export function isReady(sitter: Sitter): boolean {
  if (sitter === 'nobody') return false;
  if ('bot' in sitter) return true;
  return (sitter.person as { ready?: boolean }).ready ?? false;
}

/** The request that says so, or takes it back. */
export function readiness(ready: boolean): Request {
  return (ready ? 'ready' : 'unready') as Request;
}
