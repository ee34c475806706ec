import type { Refusal, Refused } from '../wire.gen';

/** Why something was not done: what the server says, or that it says nothing. */
export type Why = Refusal | { code: 'no-connection' };

/** Why something was not done, and the server's own sentence about it. */
export type Problem = Why & { text: string };

/** A refusal without what it was about. */
export function problemOf({ t: _t, table: _table, id: _id, ...why }: Refused & { t?: string }): Problem {
  return why as Problem;
}
