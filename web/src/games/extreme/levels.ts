import type { ExtremeLevel, ExtremeSetup } from '../../wire.gen';

/** The levels as printed, as many as there are: those of the longest table that is offered. */
export function allLevels(offered: ExtremeSetup[]): ExtremeLevel[] {
  return offered.reduce<ExtremeLevel[]>((longest, { table }) => (table.length > longest.length ? table : longest), []);
}
