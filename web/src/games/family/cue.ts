import type { Cue } from '../../lib/sound';
import type { ExtremeNotice, MindNotice, SoulmatesNotice } from '../../wire.gen';

/** What is heard of a notice, for those that the games of the family share. */
const CUES: readonly [string, Cue][] = [
  ['rested', 'rest'],
  ['stopped', 'stop'],
  ['erred', 'mistake'],
  ['starred', 'star'],
  ['hinted', 'star'],
  ['completed', 'complete'],
];

export function cueOfNotice(notice: MindNotice | ExtremeNotice | SoulmatesNotice): Cue | null {
  if (notice === 'begun') return 'begin';
  if (notice === 'won' || notice === 'lost') return notice;
  if (typeof notice !== 'object') return null;
  return CUES.find(([name]) => name in notice)?.[1] ?? null;
}
