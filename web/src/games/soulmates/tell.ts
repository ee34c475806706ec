import { nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { SeenPile, SoulmatesNotice, SoulmatesSight } from '../../wire.gen';
import { readPile } from '../family/seen';
import { isCommon, tellCommon, tellPlayed, type Ear } from '../family/tell';

/** A sight in words. What the Seer saw is told to the Seer's own page alone, which alone has it. */
export function tellSoulmates(sight: SoulmatesSight, ear: Ear): string {
  if ('notice' in sight) return tellNotice(sight.notice, ear);
  if ('played' in sight) return tellPlayed(sight.played, ear);
  if ('drawn' in sight) return m.sm_tell_drawn({ count: sight.drawn.count });
  if ('failed' in sight) return tellFailed(sight.failed.pile);
  if ('looked' in sight) {
    const { seer, vision } = sight.looked;
    if (typeof vision === 'object') return m.sm_tell_looked_you({ cards: vision.seer.known.join(', ') });
    return m.sm_tell_looked({ name: nameAt(ear.table, seer) });
  }
  const mine = sight.dealt.find((hand) => typeof hand === 'object');
  if (!mine) return '';
  return mine.length === 0 ? m.sm_tell_dealt_none() : m.sm_tell_dealt({ cards: mine.join(', ') });
}

/** The Seer sees the whole pile; others at most what they laid themselves, which says nothing about the order. */
function tellFailed(seen: SeenPile): string {
  const pile = readPile(seen);
  const cards = pile.flatMap(({ face }) => (face ? [face.value] : []));
  return cards.length === pile.length ? m.sm_tell_failed_pile({ cards: cards.join(', ') }) : `${m.sm_failed()}.`;
}

function tellNotice(notice: SoulmatesNotice, ear: Ear): string {
  if (isCommon(notice)) return tellCommon(notice, ear);
  if (notice === 'continued') return m.sm_tell_continued();
  if ('next' in notice) {
    const { level, seer } = notice.next;
    return seer === ear.seat ? m.sm_tell_next_you({ level }) : m.sm_tell_next({ level, name: nameAt(ear.table, seer) });
  }
  if ('hinted' in notice) {
    const { seer, cards } = notice.hinted;
    return cards.length === 0 ? m.sm_tell_hinted_none({ name: nameAt(ear.table, seer) }) : m.sm_tell_hinted({ cards: cards.join(', ') });
  }
  const { level, pile } = notice.completed;
  return `${m.mind_completed({ level })}. ${m.mind_tell_turned({ cards: pile.map(({ card }) => card).join(', ') })}`;
}
