import type { Cue } from '../../lib/sound';
import { listed, nameAt } from '../../lib/seats';
import { outcomeOf } from '../../lib/stage';
import { m } from '../../paraglide/messages';
import type { RoyaleEffort, RoyaleEntry, RoyaleNotice, RoyaleSight, Seat, Table } from '../../wire.gen';
import { cardName, rowName } from './kinds';

/** The viewer who is told, and the language in which lists are written. */
export interface Ear {
  table: Table;
  seat: Seat | null;
  locale: string;
  /** Who hides the code in the round that is on now. */
  maker: Seat;
}

/** A sight in words. A code is never among them before its round is over. */
export function tellRoyale(sight: RoyaleSight, ear: Ear): string {
  if ('notice' in sight) return tellNotice(sight.notice, ear);
  if ('marked' in sight) return ear.seat ? m.ry_tell_marked({ card: cardName(sight.marked) }) : '';
  if ('unmarked' in sight) return ear.seat ? m.ry_tell_unmarked({ card: cardName(sight.unmarked) }) : '';
  const { seat } = sight.hidden;
  return seat === ear.seat ? m.ry_tell_hidden_you() : m.ry_tell_hidden({ name: nameAt(ear.table, seat) });
}

export function tellEffort(effort: RoyaleEffort): string {
  return effort === 'unsolved' ? m.ry_spent() : m.ry_effort({ count: effort.solved });
}

export function tellBest(best: Seat[], { table, seat, locale }: Pick<Ear, 'table' | 'seat' | 'locale'>): string {
  const [first] = best;
  if (best.length > 1 || !first)
    return m.ry_win_shared({
      names: listed(
        best.map((each) => nameAt(table, each)),
        locale,
      ),
    });
  return first === seat ? m.ry_win_you() : m.ry_win({ name: nameAt(table, first) });
}

/** The round that ended with a sight, if one did. */
export function scoredIn(sight: RoyaleSight): RoyaleEntry | null {
  if (!('notice' in sight) || typeof sight.notice !== 'object') return null;
  return 'scored' in sight.notice ? sight.notice.scored : null;
}

/** What is heard of a sight at once. What a scene tells is heard with the scene. */
export function cueOf(sight: RoyaleSight): Cue | null {
  if ('hidden' in sight) return 'rest';
  return 'notice' in sight && sight.notice === 'ended' ? 'won' : null;
}

function tellNotice(notice: RoyaleNotice, ear: Ear): string {
  if (notice === 'restored') return m.ry_restored();
  if (notice === 'ended') return tellOutcome(ear);
  if ('begun' in notice) {
    const { round } = notice.begun;
    return ear.maker === ear.seat ? m.ry_tell_begun_you({ round }) : m.ry_tell_begun({ round, name: nameAt(ear.table, ear.maker) });
  }
  if ('asked' in notice) {
    const { seat, row, pegs } = notice.asked;
    const said = { row: 'colours' in row ? rowName('colours', row.colours) : rowName('shapes', row.shapes), pegs: m.ry_pegs(pegs) };
    return seat === ear.seat ? m.ry_tell_asked_you(said) : m.ry_tell_asked({ ...said, name: nameAt(ear.table, seat) });
  }
  if ('scored' in notice) return tellScored(notice.scored, ear);
  // With two players these are the cards of the code, which was told already.
  return ear.table.chairs.length === 2 ? '' : m.ry_left_pack({ cards: listed(notice.covered.map(cardName), ear.locale) });
}

function tellScored({ maker, code, efforts, points }: RoyaleEntry, { table, seat, locale }: Ear): string {
  const scored = {
    cards: listed(code.map(cardName), locale),
    colours: tellEffort(efforts.colours),
    shapes: tellEffort(efforts.shapes),
    points: m.ry_points({ count: points }),
  };
  return maker === seat ? m.tell_scored_you(scored) : m.ry_tell_scored({ ...scored, name: nameAt(table, maker) });
}

function tellOutcome(ear: Ear): string {
  const outcome = outcomeOf(ear.table);
  return outcome && typeof outcome === 'object' ? tellBest(outcome.best, ear) : '';
}
