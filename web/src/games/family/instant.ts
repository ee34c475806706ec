import type { Cue } from '../../lib/sound';
import type { ExtremeSight, MindSight, SoulmatesSight } from '../../wire.gen';
import { readSeen } from './seen';

export type FamilySight = MindSight | ExtremeSight | SoulmatesSight;

/** What is heard of a sight: as ever, or at once and by seat for a player who has sound first. */
export function soundFirst<Noticed extends FamilySight>(
  isOn: boolean,
  cueOf: (sight: Noticed) => Cue | null,
): (sight: Noticed) => Cue | null {
  return isOn ? (sight) => instantCueOf(sight) ?? cueOf(sight) : cueOf;
}

/** The sound of a card of each seat, a mistake and a star; `null` for what is heard as ever. */
export function instantCueOf(sight: FamilySight): Cue | null {
  if ('played' in sight) {
    const seen = typeof sight.played === 'object' && 'card' in sight.played ? sight.played.card : sight.played;
    return `card-${readSeen(seen).seat}`;
  }
  if ('failed' in sight) return 'mistake';
  if (!('notice' in sight) || typeof sight.notice !== 'object') return null;
  if ('erred' in sight.notice) return 'mistake';
  return 'starred' in sight.notice ? 'star' : null;
}
