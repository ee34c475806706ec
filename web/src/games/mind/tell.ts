import { m } from '../../paraglide/messages';
import { at, listed, nameAt } from '../../lib/seats';
import type { MindNotice, MindSight, Reward, Seat, Seen, Table } from '../../wire.gen';
import { owned, type Placed } from '../family/face';
import { knownHand, readSeen } from '../family/seen';

/** For whom something is told, and in which language lists are written. */
export interface Ear {
  table: Table;
  seat: Seat | null;
  locale: string;
}

/** A sight in words, for those who do not see it; empty for what goes without saying. */
export function tellMind(sight: MindSight, ear: Ear): string {
  if ('notice' in sight) return tellNotice(sight.notice, ear);
  if ('played' in sight) return tellPlayed(sight.played, ear);
  const mine = knownHand(ear.seat && at(sight.dealt.hands, ear.seat));
  const level = sight.dealt.level;
  return mine ? m.mind_tell_dealt({ level, cards: listed(mine.map(String), ear.locale) }) : m.mind_level({ level });
}

export function tellPlayed(seen: Seen, ear: Ear): string {
  const { seat, face } = readSeen(seen);
  const name = nameAt(ear.table, seat);
  if (!face) return m.mind_tell_back({ name });
  const { value } = face;
  return seat === ear.seat ? m.mind_tell_i_played({ value }) : m.mind_tell_played({ name, value });
}

/** As in "26 from Ada and 30 from Ben". */
export function tellCards(cards: Placed[], { table, locale }: Ear): string {
  const texts = cards.map(({ seat, face }) => m.mind_tell_of({ value: face?.value ?? '', name: nameAt(table, seat) }));
  return listed(texts, locale);
}

export function tellReward(reward: Reward): string {
  return reward === 'life' ? m.mind_reward_life() : reward === 'star' ? m.mind_reward_star() : '';
}

function tellNotice(notice: MindNotice, ear: Ear): string {
  const name = (seat: Seat) => nameAt(ear.table, seat);
  switch (notice) {
    case 'begun':
      return m.mind_tell_begun();
    case 'won':
      return m.mind_won();
    case 'lost':
      return m.mind_lost();
    case 'encored':
      return m.mind_tell_encored();
    case 'ended':
      return m.mind_ended();
  }
  if ('rested' in notice) return m.mind_hand_lies({ name: name(notice.rested) });
  if ('lifted' in notice) return m.mind_hand_away({ name: name(notice.lifted) });
  if ('stopped' in notice) return m.mind_stopped({ name: name(notice.stopped) });
  if ('raised' in notice) return m.mind_tell_raised({ name: name(notice.raised) });
  if ('lowered' in notice) return m.mind_tell_lowered({ name: name(notice.lowered) });
  if ('agreed' in notice) return m.mind_agreed({ names: name(notice.agreed) });
  if ('finished' in notice) return m.mind_tell_finished({ name: name(notice.finished) });
  if ('erred' in notice) return m.mind_tell_erred({ cards: tellCards(owned(notice.erred.lower, ear.table), ear) });
  if ('starred' in notice) return m.mind_tell_starred({ cards: tellCards(owned(notice.starred.lowest, ear.table), ear) });
  if ('turned' in notice) {
    const { pile, mistakes, cost } = notice.turned;
    const check = mistakes === 0 ? m.mind_check_clean() : m.mind_check({ count: mistakes, cost });
    return `${m.mind_tell_turned({ cards: pile.map(({ card }) => card).join(', ') })} ${check}`;
  }
  return `${m.mind_completed({ level: notice.completed.level })}. ${tellReward(notice.completed.reward)}`.trim();
}
