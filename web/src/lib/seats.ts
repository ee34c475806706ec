import { m } from '../paraglide/messages';
import type { BotKind, BySeat, Chair, Seat, Sitter, Table } from '../wire.gen';

export const SEATS: readonly Seat[] = ['A', 'B', 'C', 'D', 'E', 'F'];

const BOT_NAMES: Record<BotKind, () => string> = {
  kindred: m.bot_kindred,
  steady: m.bot_steady,
  hasty: m.bot_hasty,
  dreamy: m.bot_dreamy,
  random: m.bot_random,
  novice: m.bot_novice,
  student: m.bot_student,
  master: m.bot_master,
  cunning: m.bot_cunning,
};

const BOT_LINES: Record<BotKind, () => string> = {
  kindred: m.bot_kindred_line,
  steady: m.bot_steady_line,
  hasty: m.bot_hasty_line,
  dreamy: m.bot_dreamy_line,
  random: m.bot_random_line,
  novice: m.bot_novice_line,
  student: m.bot_student_line,
  master: m.bot_master_line,
  cunning: m.bot_cunning_line,
};

/** What a bot is like, in one line. */
export function botLine(kind: BotKind): string {
  return BOT_LINES[kind]();
}

export function botName(kind: BotKind): string {
  return BOT_NAMES[kind]();
}

export function at<T>(values: BySeat<T>, seat: Seat): T | undefined {
  return values[SEATS.indexOf(seat)];
}

/** Each value with its seat, as in a list of hands. */
export function bySeat<T>(values: BySeat<T>, table: Table): { seat: Seat; value: T }[] {
  return table.chairs.flatMap(({ seat }) => {
    const value = at(values, seat);
    return value === undefined ? [] : [{ seat, value }];
  });
}

export function sitterAt(table: Table, seat: Seat): Sitter {
  return table.chairs.find((chair) => chair.seat === seat)?.sitter ?? 'empty';
}

/** What the server calls a person who was deleted. */
const FORGOTTEN = 'someone';

/** The name of the player in a seat. */
export function nameAt(table: Table, seat: Seat): string {
  const sitter = sitterAt(table, seat);
  if (sitter === 'empty') return m.seat_named({ seat });
  if ('bot' in sitter) return m.bot_at({ seat });
  if ('ghost' in sitter) return m.ghost_of({ name: sitter.ghost.name });
  return sitter.person.name === FORGOTTEN ? m.record_someone() : sitter.person.name;
}

/** The other seats clockwise from the left of a seat; all seats for a spectator. */
export function clockwiseFrom(chairs: Chair[], seat: Seat | null): Chair[] {
  const index = chairs.findIndex((chair) => chair.seat === seat);
  return index < 0 ? chairs : [...chairs.slice(index + 1), ...chairs.slice(0, index)];
}

/** Several names in the language's own way, as in "Ada and Ben". */
export function listed(names: string[], locale: string): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(names);
}
