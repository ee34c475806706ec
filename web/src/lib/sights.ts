import type { Sight } from '../wire.gen';

/** The sights that a game has told, by the list in which it got them. */
const told = new WeakSet<Sight[]>();

/** More than happens while a game is fetched. */
const UNTOLD_MOST = 64;

export function isTold(sights: Sight[]): boolean {
  return told.has(sights);
}

export function markTold(sights: Sight[]): void {
  told.add(sights);
}

/** The sights to be told next: those of an update, after those that no game has told yet. */
export function withUntold(before: Sight[], sights: Sight[]): Sight[] {
  return before.length === 0 || isTold(before) ? sights : [...before, ...sights].slice(-UNTOLD_MOST);
}
