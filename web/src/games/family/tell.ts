import { listed, nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { ExtremeNotice, MindNotice, Reward, Seat, Seen, SoulmatesNotice, Table } from '../../wire.gen';
import type { Face, Placed } from './face';
import { readSeen } from './seen';

/** Who is told something, and in which language lists are written. */
export interface Ear {
  table: Table;
  seat: Seat | null;
  locale: string;
}

/** The notices that mean the same in all Mind games that have them. */
type CommonNotice =
  | 'begun'
  | 'won'
  | 'lost'
  | 'ended'
  | { rested: Seat }
  | { lifted: Seat }
  | { stopped: Seat }
  | { raised: Seat }
  | { lowered: Seat }
  | { agreed: Seat }
  | { finished: Seat };

const WORDS = { begun: m.mind_tell_begun, won: m.mind_won, lost: m.mind_lost, ended: m.mind_ended };

const DEEDS: Record<string, (input: { name: string }) => string> = {
  rested: m.mind_hand_lies,
  lifted: m.mind_hand_away,
  stopped: m.mind_stopped,
  raised: m.mind_tell_raised,
  lowered: m.mind_tell_lowered,
  agreed: ({ name }) => m.mind_agreed({ names: name }),
  finished: m.mind_tell_finished,
};

export function isCommon(notice: MindNotice | ExtremeNotice | SoulmatesNotice): notice is CommonNotice {
  return typeof notice === 'string' ? notice in WORDS : Object.keys(notice).some((deed) => deed in DEEDS);
}

export function tellCommon(notice: CommonNotice, { table }: Ear): string {
  if (typeof notice === 'string') return WORDS[notice]();
  const [deed, seat] = Object.entries(notice)[0] as [string, Seat];
  return DEEDS[deed]!({ name: nameAt(table, seat) });
}

/** A card that was laid, in a game whose cards have no colour. */
export function tellPlayed(seen: Seen, ear: Ear): string {
  const { seat, face } = readSeen(seen);
  const name = nameAt(ear.table, seat);
  if (!face) return m.mind_tell_back({ name });
  const { value } = face;
  return seat === ear.seat ? m.mind_tell_i_played({ value }) : m.mind_tell_played({ name, value });
}

/** As in "26 from Ada and 30 from Ben". */
export function tellCards(cards: Placed[], { table, locale }: Ear, faceName: (face: Face) => string = ({ value }) => String(value)): string {
  const texts = cards.map(({ seat, face }) => m.mind_tell_of({ value: face ? faceName(face) : '', name: nameAt(table, seat) }));
  return listed(texts, locale);
}

export function tellCompleted({ level, reward }: { level: number; reward: Reward }): string {
  const gained = reward === 'life' ? m.mind_reward_life() : reward === 'star' ? m.mind_reward_star() : '';
  return `${m.mind_completed({ level })}. ${gained}`.trim();
}
