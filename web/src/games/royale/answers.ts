import { at, listed, nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { RoyaleView } from '../../wire.gen';
import type { Answers } from '../answers';
import { cardName, rowName, ZONES, zoneName } from './kinds';

export const answers: Answers<RoyaleView> = {
  topics: {
    hand: {
      text: m.keys_code,
      answer: ({ code }, { seat, locale }) => {
        if (!code) return m.ry_code_none();
        if (typeof code !== 'object' || !seat) return `${m.ry_code()}: ${m.ry_code_hidden()}`;
        return `${m.ry_code_mine()}: ${listed(code.known.map(cardName), locale)}`;
      },
    },
    pile: {
      text: m.keys_rows,
      answer: ({ public: { rows } }) =>
        ZONES.map((zone) => {
          const last = rows[zone].at(-1);
          return `${zoneName(zone)}: ${last ? `${rowName(zone, last.row)}: ${m.ry_pegs(last.pegs)}` : m.ry_place_empty()}.`;
        }).join(' '),
    },
    team: {
      text: m.keys_points,
      answer: ({ public: { scores } }, { table }) =>
        table.chairs.map(({ seat }) => `${nameAt(table, seat)}: ${m.ry_points({ count: at(scores, seat) ?? 0 })}.`).join(' '),
    },
    counts: {
      text: m.keys_used,
      answer: ({ public: { rows, pack } }) =>
        `${ZONES.map((zone) => `${zoneName(zone)}: ${rows[zone].length}/8.`).join(' ')} ${m.ry_pack({ count: pack.length })}`,
    },
  },
  keys: () => [
    { key: m.keys_letters(), text: m.keys_letters_says() },
    { key: m.keys_arrows_all(), text: m.keys_arrows_all_says() },
    { key: m.keys_enter(), text: m.keys_ask_says() },
  ],
};
