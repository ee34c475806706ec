import { m } from '../paraglide/messages';
import type { Seat, Table } from '../wire.gen';
import { isReady, isUnhurried } from './ready';
import { nameAt, sitterAt } from './seats';

/** What has changed in a lobby, in words for the viewer in `seat`. The viewer's own changes are left out. */
export function lobbyNews(before: Table, now: Table, seat: Seat | null): string[] {
  const news: string[] = [];
  for (const chair of now.chairs) {
    const was = sitterAt(before, chair.seat);
    if (chair.seat === seat || JSON.stringify(was) === JSON.stringify(chair.sitter)) continue;
    const name = nameAt(now, chair.seat);
    if (chair.sitter === 'empty') news.push(m.lobby_left({ name: nameAt(before, chair.seat) }));
    else if (was === 'empty' || nameAt(before, chair.seat) !== name) news.push(m.lobby_sat({ name }));
    else if (isReady(chair.sitter) && !isReady(was)) news.push(m.lobby_ready({ name }));
    else if (isUnhurried(chair.sitter) && !isUnhurried(was)) news.push(m.lobby_unhurried({ name }));
  }
  if (seat !== null && now.host === seat && isFull(now) && !(isFull(before) && before.host === seat)) news.push(m.lobby_full());
  return news;
}

/** What a player who has just sat down needs to know: that there is a seat for them, and who starts the game. */
export function arrivalNews(table: Table, seat: Seat): string[] {
  const empty = table.chairs.filter(({ sitter }) => sitter === 'empty').length;
  if (table.host !== seat) return [m.lobby_seated(), ...(table.host ? [m.host_starts({ name: nameAt(table, table.host) })] : [])];
  return [m.lobby_seated(), empty > 0 ? m.seats_empty({ count: empty }) : m.lobby_full()];
}

function isFull({ chairs }: Table): boolean {
  return chairs.every(({ sitter }) => sitter !== 'empty');
}
