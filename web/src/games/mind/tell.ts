import { at, listed } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { MindNotice, MindSight } from '../../wire.gen';
import { owned } from '../family/face';
import { knownHand } from '../family/seen';
import { isCommon, tellCards, tellCommon, tellCompleted, tellPlayed, tellUpdate, type Ear, type Standing } from '../family/tell';

/** What an update brought in words, for players who do not see it. */
export function tell(sights: MindSight[], now: Standing, ear: Ear): string[] {
  return tellUpdate(sights, tellMind, now, ear);
}

/** A sight in words, for players who do not see the table; empty if nothing is said. */
export function tellMind(sight: MindSight, ear: Ear): string {
  if ('notice' in sight) return tellNotice(sight.notice, ear);
  if ('played' in sight) return tellPlayed(sight.played, ear);
  const mine = knownHand(ear.seat && at(sight.dealt.hands, ear.seat));
  const level = sight.dealt.level;
  return mine ? m.mind_tell_dealt({ level, cards: listed(mine.map(String), ear.locale) }) : m.mind_level({ level });
}

function tellNotice(notice: MindNotice, ear: Ear): string {
  if (isCommon(notice)) return tellCommon(notice, ear);
  if (notice === 'encored') return m.mind_tell_encored();
  if ('erred' in notice) return m.mind_tell_erred({ cards: tellCards(owned(notice.erred.lower, ear.table), ear) });
  if ('starred' in notice) return m.mind_tell_starred({ cards: tellCards(owned(notice.starred.lowest, ear.table), ear) });
  if ('turned' in notice) {
    const { pile, mistakes, cost } = notice.turned;
    const check = mistakes === 0 ? m.mind_check_clean() : m.mind_check({ count: mistakes, cost });
    return `${m.mind_tell_turned({ cards: pile.map(({ card }) => card).join(', ') })} ${check}`;
  }
  return tellCompleted(notice.completed);
}
