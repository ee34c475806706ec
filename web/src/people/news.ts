import type { Invitation } from '../wire.gen';

/** Tells an invitation from a later one of the same person. */
export const keyOf = ({ id, at_s: at, table }: Invitation): string => `${id} ${at} ${table}`;

/** The invitations that were not there when we last looked; none the first time, when all of them are on the page anyway. */
export function fresh(now: readonly Invitation[], known: ReadonlySet<string> | null): Invitation[] {
  return known === null ? [] : now.filter((each) => !known.has(keyOf(each)));
}
