import { at, listed, nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { ExtremeColour, ExtremeNotice, ExtremeSight } from '../../wire.gen';
import { ownedColours, type Face } from '../family/face';
import { knownHand, readSeen } from '../family/seen';
import { isCommon, tellCards, tellCommon, tellCompleted, tellUpdate, type Ear, type Standing } from '../family/tell';

/** What an update brought in words, for players who do not see it. */
export function tell(sights: ExtremeSight[], now: Standing, ear: Ear): string[] {
  return tellUpdate(sights, tellExtreme, now, ear);
}

/** A sight in words, for players who do not see the table. */
function tellExtreme(sight: ExtremeSight, ear: Ear): string {
  if ('notice' in sight) return tellNotice(sight.notice, ear);
  if ('chose' in sight)
    return sight.chose.seat === ear.seat ? m.tell_chose() : m.extreme_tell_chose({ name: nameAt(ear.table, sight.chose.seat) });
  if ('played' in sight) return tellPlayed(sight.played, ear);
  const mine = knownHand(ear.seat && at(sight.dealt.hands, ear.seat));
  const level = sight.dealt.level;
  if (!mine) return m.mind_level({ level });
  const cards = [...mine.white.map((value) => tellCard(value, 'white')), ...mine.red.map((value) => tellCard(value, 'red'))];
  return m.mind_tell_dealt({ level, cards: listed(cards, ear.locale) });
}

function tellCard(value: number, colour: ExtremeColour): string {
  return colour === 'white' ? m.extreme_tell_white({ value }) : m.extreme_tell_red({ value });
}

function tellPlayed({ colour, card }: Extract<ExtremeSight, { played: object }>['played'], { table, seat, brief }: Ear): string {
  const { seat: by, face } = readSeen(card, colour);
  const name = nameAt(table, by);
  if (brief && face) return tellCard(face.value, colour);
  if (!face) {
    return colour === 'white' ? m.extreme_tell_back_white({ name }) : m.extreme_tell_back_red({ name });
  }
  const words = tellCard(face.value, colour);
  return by === seat ? m.extreme_tell_i_played({ card: words }) : m.extreme_tell_played({ name, card: words });
}

function tellNotice(notice: ExtremeNotice, ear: Ear): string {
  if (isCommon(notice)) return tellCommon(notice, ear);
  if (notice === 'choosing') return m.extreme_tell_choosing();
  const cardName = ({ value, colour }: Face) => tellCard(value, colour ?? 'white');
  if ('erred' in notice) return m.mind_tell_erred({ cards: tellCards(ownedColours(notice.erred.earlier, ear.table), ear, cardName) });
  if ('starred' in notice) return m.mind_tell_starred({ cards: tellCards(ownedColours(notice.starred.chosen, ear.table), ear, cardName) });
  if ('turned' in notice) {
    const cards = notice.turned.pile.map(({ card }) => card).join(', ');
    return notice.turned.colour === 'white' ? m.extreme_tell_turned_white({ cards }) : m.extreme_tell_turned_red({ cards });
  }
  if ('checked' in notice) return m.extreme_tell_checked({ cost: notice.checked.cost });
  return tellCompleted(notice.completed);
}
