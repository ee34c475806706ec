import { listed, nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type {
  ExtremeNotice,
  ExtremeSight,
  Focus,
  MindNotice,
  MindSight,
  Reward,
  Seat,
  Seen,
  SoulmatesNotice,
  SoulmatesSight,
  Table,
} from '../../wire.gen';
import type { CloseCall } from './close';
import type { Face, OwnedCard } from './face';
import { readSeen } from './seen';

/** Who is told something, and in which language lists are written. */
export interface Ear {
  table: Table;
  seat: Seat | null;
  locale: string;
  /** Whether a card is told by its number alone, because its sound has said whose it is. */
  brief?: boolean;
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

/** What a player did, in words for the player and for the others. */
const DEEDS: Record<string, { mine: () => string; theirs: (input: { name: string }) => string }> = {
  rested: { mine: m.tell_rested, theirs: m.mind_hand_lies },
  lifted: { mine: m.tell_lifted, theirs: m.mind_hand_away },
  stopped: { mine: m.mind_own_stopped, theirs: m.mind_stopped },
  raised: { mine: m.tell_raised, theirs: m.mind_tell_raised },
  lowered: { mine: m.tell_lowered, theirs: m.mind_tell_lowered },
  agreed: { mine: m.tell_agreed, theirs: ({ name }) => m.mind_agreed({ names: name }) },
  finished: { mine: m.tell_finished, theirs: m.mind_tell_finished },
};

export function isCommon(notice: MindNotice | ExtremeNotice | SoulmatesNotice): notice is CommonNotice {
  return typeof notice === 'string' ? notice in WORDS : Object.keys(notice).some((deed) => deed in DEEDS);
}

export function tellCommon(notice: CommonNotice, ear: Ear): string {
  if (typeof notice === 'string') return WORDS[notice]();
  const [deed, seat] = Object.entries(notice)[0] as [string, Seat];
  const { mine, theirs } = DEEDS[deed]!;
  return seat === ear.seat ? mine() : theirs({ name: nameAt(ear.table, seat) });
}

/** How a team stands after an update. */
export interface Standing {
  lives: number;
  focus: Focus | null;
  /** What is said of the lives that are left when one was lost; the number of them unless given. */
  left?: string;
}

/** What an update brought in words, with what follows from it: the lives that are left before new cards, and at last that the level waits for the viewer's hand. */
export function tellUpdate<Noticed extends FamilySight>(
  sights: readonly Noticed[],
  tell: (sight: Noticed, ear: Ear) => string,
  now: Standing,
  ear: Ear,
): string[] {
  const texts = sights.map((sight) => tell(sight, ear));
  const left = now.left ?? (now.lives > 0 ? m.sm_failed_left({ count: now.lives }) : '');
  if (sights.some(costsLife)) {
    const deal = sights.findIndex((sight) => 'dealt' in sight);
    texts.splice(deal < 0 ? texts.length : deal, 0, left);
  }
  return [...texts, tellHandWanted(sights, now.focus, ear)];
}

/** Empty if the level does not wait for the viewer's hand, or the viewer has heard so. */
function tellHandWanted(sights: readonly FamilySight[], focus: Focus | null, { table, seat }: Ear): string {
  if (sights.length === 0 || seat === null || !focus || focus.resting.includes(seat)) return '';
  if (focus.resting.length === table.chairs.length - 1) return m.tell_hand_last();
  const isHand = (sight: FamilySight) =>
    'notice' in sight && typeof sight.notice === 'object' && ('rested' in sight.notice || 'lifted' in sight.notice);
  return sights.some(isHand) ? '' : m.tell_hand_wanted();
}

type FamilySight = MindSight | ExtremeSight | SoulmatesSight;

function costsLife(sight: FamilySight): boolean {
  if ('failed' in sight) return true;
  if (!('notice' in sight) || typeof sight.notice !== 'object') return false;
  const { notice } = sight;
  if ('erred' in notice) return true;
  if ('checked' in notice) return notice.checked.cost > 0;
  return 'turned' in notice && 'cost' in notice.turned && notice.turned.cost > 0;
}

/** A card that was laid, in a game whose cards have no colour. */
export function tellPlayed(seen: Seen, ear: Ear): string {
  const { seat, face } = readSeen(seen);
  const name = nameAt(ear.table, seat);
  if (ear.brief) return face ? String(face.value) : name;
  if (!face) return m.mind_tell_back({ name });
  const { value } = face;
  return seat === ear.seat ? m.mind_tell_i_played({ value }) : m.mind_tell_played({ name, value });
}

/** Which of two cards counts first that were too close to tell apart. */
export function tellClose({ first, second }: CloseCall, table: Table): string {
  const name = ({ seat }: OwnedCard) => nameAt(table, seat);
  return m.moment_close_says({ low: first.face?.value ?? '', first: name(first), high: second.face?.value ?? '', second: name(second) });
}

/** As in "26 from Ada, 30 from you, and a card from Ben". */
export function tellCards(cards: OwnedCard[], ear: Ear, faceName?: (face: Face) => string): string {
  return listed(
    cards.map((card) => tellCard(card, ear, faceName)),
    ear.locale,
  );
}

export function tellCard({ seat, face }: OwnedCard, ear: Ear, faceName: (face: Face) => string = ({ value }) => String(value)): string {
  const value = face ? faceName(face) : m.tell_back();
  return seat === ear.seat ? m.tell_of_you({ value }) : m.mind_tell_of({ value, name: nameAt(ear.table, seat) });
}

export function tellCompleted({ level, reward }: { level: number; reward: Reward }): string {
  const gained = reward === 'life' ? m.mind_reward_life() : reward === 'star' ? m.mind_reward_star() : '';
  return `${m.mind_completed({ level })}. ${gained}`.trim();
}
