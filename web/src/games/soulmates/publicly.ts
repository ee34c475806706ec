import type { SoulmatesSight } from '../../wire.gen';
import { turnedDown } from '../family/face';

/** A sight as somebody without a seat has it: for a screen that all can see. */
export function publicly(sight: SoulmatesSight): SoulmatesSight {
  if ('looked' in sight) return { looked: { seer: sight.looked.seer, vision: 'blind' } };
  if ('dealt' in sight) return { dealt: sight.dealt.map((hand) => ('mine' in hand ? { theirs: hand.mine.length } : hand)) };
  if ('played' in sight) return { played: turnedDown(sight.played) };
  if ('failed' in sight) return { failed: { seer: sight.failed.seer, pile: sight.failed.pile.map(turnedDown) } };
  return sight;
}
