import { listed, nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { SeenPile, SoulmatesNotice, SoulmatesSight } from '../../wire.gen';
import { outOfOrder } from '../family/face';
import { readPile } from '../family/seen';
import { isCommon, tellCard, tellCommon, tellPlayed, tellUpdate, type Ear, type Standing } from '../family/tell';

/** What an update brought in words, for players who do not see it. A failed attempt may be the last one or leave lives. */
export function tell(sights: SoulmatesSight[], now: Standing & { over: boolean; attempt: number }, ear: Ear): string[] {
  const left = now.over ? '' : now.lives === 0 ? m.sm_failed_stand() : m.sm_failed_left({ count: now.lives });
  const told = (sight: SoulmatesSight, ear: Ear) => {
    const text = tellSoulmates(sight, ear);
    return 'dealt' in sight && now.attempt > 1 && text !== '' ? `${m.sm_dealt_again()}. ${text}` : text;
  };
  return tellUpdate(sights, told, { ...now, left }, ear);
}

/** A sight in words. What the Seer saw is told to the Seer's own page alone, which alone has it. */
function tellSoulmates(sight: SoulmatesSight, ear: Ear): string {
  if ('notice' in sight) return tellNotice(sight.notice, ear);
  if ('played' in sight) return tellPlayed(sight.played, ear);
  if ('drawn' in sight) return m.sm_tell_drawn({ count: sight.drawn.count });
  if ('failed' in sight) return tellFailed(sight.failed.pile, ear);
  if ('looked' in sight) {
    const { seer, vision } = sight.looked;
    if (typeof vision === 'object') return m.sm_tell_looked_you({ cards: vision.seer.known.join(', ') });
    return m.sm_tell_looked({ name: nameAt(ear.table, seer) });
  }
  const mine = sight.dealt.find((hand) => typeof hand === 'object');
  if (!mine) return '';
  return mine.length === 0 ? m.sm_tell_dealt_none() : m.sm_tell_dealt({ cards: mine.join(', ') });
}

/** The cards in the order laid, and whose they are. The Seer sees them all and hears which were late; the others know their own at most. */
function tellFailed(seen: SeenPile, ear: Ear): string {
  const pile = readPile(seen);
  const late = pile.every(({ face }) => face !== null) ? outOfOrder(pile) : null;
  const cards = pile.map((card, index) => (late?.has(index) ? `${tellCard(card, ear)} (${m.mind_too_late()})` : tellCard(card, ear)));
  return m.sm_tell_failed_pile({ cards: listed(cards, ear.locale) });
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
    if (cards.length > 0) return m.sm_tell_hinted({ cards: cards.join(', ') });
    return seer === ear.seat ? m.tell_hinted_none() : m.sm_tell_hinted_none({ name: nameAt(ear.table, seer) });
  }
  const { level, pile } = notice.completed;
  return `${m.mind_completed({ level })}. ${m.mind_tell_turned({ cards: pile.map(({ card }) => card).join(', ') })} ${m.mind_check_clean()}`;
}
