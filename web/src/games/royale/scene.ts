import type { RoyaleCode, RoyaleEntry, RoyalePegs, RoyalePublic, RoyaleSight, RoyaleTriple, Seat } from '../../wire.gen';
import type { Beat } from '../moment.svelte';
import type { Zone } from './kinds';
import { scoredIn } from './tell';

/** A row that was answered. */
export interface Answered {
  seat: Seat;
  zone: Zone;
  row: RoyaleTriple;
  pegs: RoyalePegs;
}

/** One picture with one message. A moment is a few of them, one after the other. */
export type Scene =
  | ({ kind: 'asked' } & Answered)
  | ({ kind: 'solved'; rowsUsed: number } & Answered)
  /** The last row of a zone, and not the right one. */
  | ({ kind: 'spent' } & Answered)
  | { kind: 'uncovered'; code: RoyaleCode }
  | { kind: 'scored'; entry: RoyaleEntry };

const ASKED_MS = 1_500;
const ZONE_MS = 1_900;
const UNCOVERED_MS = 2_600;
const SCORED_MS = 1_900;
const SOLVED_BLACKS = 3;
const ROWS_MOST = 8;

/** What the sights of one update are told with, in order; `undefined` if nothing of theirs is. `pub` is the state after them. */
export function scenesOf(sights: RoyaleSight[], pub: RoyalePublic): Scene[] | undefined {
  const entry = sights.map(scoredIn).find((each) => each !== null) ?? null;
  const scenes = sights.flatMap((sight): Scene[] => {
    const answered = answeredIn(sight);
    return answered ? [answeredScene(answered, pub, entry)] : [];
  });
  if (entry) scenes.push({ kind: 'uncovered', code: entry.code }, { kind: 'scored', entry });
  return scenes.length > 0 ? scenes : undefined;
}

export function beatOf(scene: Scene): Beat {
  switch (scene.kind) {
    case 'asked':
      return { ms: ASKED_MS, cue: 'pegs' };
    case 'solved':
      return { ms: ZONE_MS, cue: 'star' };
    case 'spent':
      return { ms: ZONE_MS, cue: 'stop' };
    case 'uncovered':
      return { ms: UNCOVERED_MS, cue: 'uncover' };
    case 'scored':
      return { ms: SCORED_MS, cue: 'complete' };
  }
}

function answeredIn(sight: RoyaleSight): Answered | null {
  if (!('notice' in sight) || typeof sight.notice !== 'object' || !('asked' in sight.notice)) return null;
  const { seat, row, pegs } = sight.notice.asked;
  return 'colours' in row ? { seat, zone: 'colours', row: row.colours, pegs } : { seat, zone: 'shapes', row: row.shapes, pegs };
}

/** A round that is over has cleared its rows: its entry says how many there were. */
function answeredScene(answered: Answered, pub: RoyalePublic, entry: RoyaleEntry | null): Scene {
  const effort = entry?.efforts[answered.zone];
  const rowsUsed = effort === undefined ? pub.rows[answered.zone].length : effort === 'unsolved' ? ROWS_MOST : effort.solved;
  if (answered.pegs.black === SOLVED_BLACKS) return { kind: 'solved', rowsUsed, ...answered };
  return { kind: rowsUsed === ROWS_MOST ? 'spent' : 'asked', ...answered };
}
