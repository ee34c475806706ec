import { m } from '../paraglide/messages';

const TEXTS: Record<string, () => string> = {
  'address-rate': m.refusal_address_rate,
  'already-agreed': m.refusal_already_agreed,
  'chat-closed': m.refusal_chat_closed,
  'chat-control': m.refusal_chat_length,
  'chat-length': m.refusal_chat_length,
  'chat-rate': m.refusal_chat_rate,
  'choice-open': m.refusal_choice_open,
  covered: m.refusal_covered,
  'empty-seats': m.refusal_empty_seats,
  'game-on': m.refusal_game_on,
  'game-over': m.refusal_game_over,
  'not-ready': m.refusal_not_ready,
  name: m.refusal_name,
  'no-connection': m.refusal_no_connection,
  'no-star': m.refusal_no_star,
  'no-table': m.refusal_no_table,
  'nobody-missing': m.refusal_nobody_missing,
  'not-breaker': m.refusal_not_breaker,
  'not-breaking': m.refusal_not_breaking,
  'not-choosing': m.refusal_not_choosing,
  'not-held': m.refusal_not_held,
  'not-host': m.refusal_not_host,
  'not-in-pack': m.refusal_covered,
  'not-kept': m.refusal_not_kept,
  'not-maker': m.refusal_not_maker,
  'not-next': m.refusal_not_next,
  'not-playing': m.refusal_not_playing,
  'not-seated': m.refusal_not_seated,
  'not-your-zone': m.refusal_not_your_zone,
  'seat-taken': m.refusal_seat_taken,
  'somebody-missing': m.refusal_somebody_missing,
  stale: m.refusal_stale,
  'table-full': m.refusal_table_full,
  'table-rate': m.refusal_table_rate,
  unreadable: m.refusal_unreadable,
  'zone-solved': m.refusal_zone_solved,
  'zone-spent': m.refusal_zone_spent,
};

/** A refusal in the player's language; the server's own words for those that are new. */
export function refusalText({ code, text }: { code: string; text: string }): string {
  return TEXTS[code]?.() ?? text;
}
