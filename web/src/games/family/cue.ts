import type { Cue } from '../../lib/sound';
import type { ExtremeNotice, MindNotice, SoulmatesNotice } from '../../wire.gen';

/** What is heard of a notice at once. What a scene tells is heard with the scene. */
export function cueOfNotice(notice: MindNotice | ExtremeNotice | SoulmatesNotice): Cue | null {
  if (notice === 'begun') return 'begin';
  if (notice === 'won' || notice === 'lost') return notice;
  if (typeof notice !== 'object') return null;
  return 'rested' in notice ? 'rest' : 'hinted' in notice ? 'slate' : null;
}
