import type { Seat, Sight, Table } from '../wire.gen';

/** The sights that a game has reported to its viewer, by the list in which it got them. */
const reported = new WeakSet<Sight[]>();

/** More than happens while a game is fetched. */
const UNREPORTED_MOST = 64;

export function isReported(sights: Sight[]): boolean {
  return reported.has(sights);
}

export function markReported(sights: Sight[]): void {
  reported.add(sights);
}

/**
 * The sights without the stops that the table made for a player who has gone or cannot see it: the player stopped
 * nothing, and the table says itself why play waits.
 */
export function withoutHolds(sights: Sight[], { stage }: Table): Sight[] {
  if (stage === 'gathering' || !('playing' in stage)) return sights;
  const held = new Set<Seat>([...stage.playing.missing, ...stage.playing.paused.map(({ seat }) => seat)]);
  return held.size === 0 ? sights : sights.filter((sight) => !held.has(stoppedBy(sight)!));
}

/** Who stopped play, if that is what was noticed. */
function stoppedBy(sight: Sight): Seat | null {
  const [own] = Object.values(sight) as unknown[];
  const notice = typeof own === 'object' && own !== null && 'notice' in own ? own.notice : null;
  return typeof notice === 'object' && notice !== null && 'stopped' in notice ? (notice.stopped as Seat) : null;
}

/** The sights to be reported next: those of an update, after those that no game has reported yet. */
export function withUnreported(before: Sight[], sights: Sight[]): Sight[] {
  return before.length === 0 || isReported(before) ? sights : [...before, ...sights].slice(-UNREPORTED_MOST);
}
