import type { Code } from '../wire.gen';

/** Tables whose game this participant has seen to its end: the study goes on from them, and does not lead back. */
export const finishedTables = new Set<Code>();
