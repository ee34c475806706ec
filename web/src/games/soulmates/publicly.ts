import type { SoulmatesSight } from '../../wire.gen';
import { turnedDown } from '../family/seen';

/** A sight as a spectator has it: for a big screen. */
export function publicly(sight: SoulmatesSight): SoulmatesSight {
  if ('looked' in sight) return { looked: { seer: sight.looked.seer, vision: 'blind' } };
  if ('dealt' in sight) return { dealt: sight.dealt.map((hand) => (typeof hand === 'number' ? hand : hand.length)) };
  if ('played' in sight) return { played: turnedDown(sight.played) };
  if ('failed' in sight) return { failed: { seer: sight.failed.seer, pile: turnedDown(sight.failed.pile) } };
  return sight;
}
