import { at, listed, nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { ExtremeColour, ExtremeNotice, ExtremeSight, Seat } from '../../wire.gen';
import { ownedColours, type Placed } from '../family/face';
import { knownHand, readSeen } from '../family/seen';
import { tellReward, type Ear } from '../mind/tell';

/** A sight in words, for those who do not see it. */
export function tellExtreme(sight: ExtremeSight, ear: Ear): string {
  if ('notice' in sight) return tellNotice(sight.notice, ear);
  if ('chose' in sight) return m.extreme_tell_chose({ name: nameAt(ear.table, sight.chose.seat) });
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

function tellPlayed({ colour, card }: Extract<ExtremeSight, { played: object }>['played'], { table, seat }: Ear): string {
  const { seat: by, face } = readSeen(card, colour);
  const name = nameAt(table, by);
  if (!face) {
    return colour === 'white' ? m.extreme_tell_back_white({ name }) : m.extreme_tell_back_red({ name });
  }
  const words = tellCard(face.value, colour);
  return by === seat ? m.extreme_tell_i_played({ card: words }) : m.extreme_tell_played({ name, card: words });
}

function tellCards(cards: Placed[], { table, locale }: Ear): string {
  const texts = cards.map(({ seat, face }) =>
    m.mind_tell_of({ value: tellCard(face?.value ?? 0, face?.colour ?? 'white'), name: nameAt(table, seat) }),
  );
  return listed(texts, locale);
}

function tellNotice(notice: ExtremeNotice, ear: Ear): string {
  const name = (seat: Seat) => nameAt(ear.table, seat);
  switch (notice) {
    case 'begun':
      return m.mind_tell_begun();
    case 'choosing':
      return m.extreme_tell_choosing();
    case 'won':
      return m.mind_won();
    case 'lost':
      return m.mind_lost();
  }
  if ('rested' in notice) return m.mind_hand_lies({ name: name(notice.rested) });
  if ('lifted' in notice) return m.mind_hand_away({ name: name(notice.lifted) });
  if ('stopped' in notice) return m.mind_stopped({ name: name(notice.stopped) });
  if ('raised' in notice) return m.mind_tell_raised({ name: name(notice.raised) });
  if ('lowered' in notice) return m.mind_tell_lowered({ name: name(notice.lowered) });
  if ('erred' in notice) return m.mind_tell_erred({ cards: tellCards(ownedColours(notice.erred.earlier, ear.table), ear) });
  if ('starred' in notice) return m.mind_tell_starred({ cards: tellCards(ownedColours(notice.starred.chosen, ear.table), ear) });
  if ('turned' in notice) {
    const cards = notice.turned.pile.map(({ card }) => card).join(', ');
    return notice.turned.colour === 'white' ? m.extreme_tell_turned_white({ cards }) : m.extreme_tell_turned_red({ cards });
  }
  if ('checked' in notice) return m.extreme_tell_checked({ cost: notice.checked.cost });
  return `${m.mind_completed({ level: notice.completed.level })}. ${tellReward(notice.completed.reward)}`.trim();
}
