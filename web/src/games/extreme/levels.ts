import { m } from '../../paraglide/messages';
import type { ExtremeLevel, ExtremeSetup, Face } from '../../wire.gen';
import { firstLevelRule, playersRule } from '../family/shared';

/** Levels whose blind piles are our reading; those of the others are printed (X4). */
export const OUR_READING: readonly number[] = [4, 8, 12];

/** The colours of a level, in the order they are shown. */
export const COLOURS = ['white', 'red'] as const;
export type Colour = (typeof COLOURS)[number];

/** All levels that are offered: those of the longest table. */
export function allLevels(offered: ExtremeSetup[]): ExtremeLevel[] {
  return offered.reduce<ExtremeLevel[]>((longest, { table }) => (table.length > longest.length ? table : longest), []);
}

/** As many levels as wanted: those of the table, and after them those that are offered. */
export function lengthened(table: ExtremeLevel[], offered: ExtremeLevel[], count: number): ExtremeLevel[] {
  return [...table, ...offered.slice(table.length)].slice(0, count);
}

/** The same levels with one pile laid the other way. */
export function turned(table: ExtremeLevel[], level: number, colour: Colour): ExtremeLevel[] {
  return table.map((row, index) => {
    const face: Face = row.faces[colour] === 'blind' ? 'open' : 'blind';
    return index + 1 === level ? { ...row, faces: { ...row.faces, [colour]: face } } : row;
  });
}

/** The same levels with all piles laid like this. */
export function laid(table: ExtremeLevel[], face: Face): ExtremeLevel[] {
  return table.map((row) => ({ ...row, faces: { white: face, red: face } }));
}

/** The levels in which the pile of a colour lies face down, as in "3, 6". */
export function blindLevels(table: ExtremeLevel[], colour: Colour): string {
  const levels = table.flatMap(({ faces }, index) => (faces[colour] === 'blind' ? [index + 1] : []));
  return levels.length > 0 ? levels.join(', ') : '–';
}

/** From this level on the rules have face-down piles. */
const FIRST_BLIND = 3;

/** The house rules of a set-up: more players than the box is for, where it starts, and piles that are never or always face down. */
export function houseRules(setup: ExtremeSetup): string[] {
  const all = (face: Face) => setup.table.every(({ faces }) => COLOURS.every((colour) => faces[colour] === face));
  return [
    ...playersRule(setup),
    ...firstLevelRule(setup),
    ...(all('open') && setup.table.length >= FIRST_BLIND ? [m.blind_rule_none()] : []),
    ...(all('blind') ? [m.blind_rule_all()] : []),
  ];
}
