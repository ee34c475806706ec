import { at } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { ExtremeView } from '../../wire.gen';
import type { Answers } from '../answers';
import { familyKeys, tellCounts, tellHand, tellPile, tellTeam, TEXTS } from '../family/answers';
import { countIn } from '../family/count';
import { knownHand, readPile } from '../family/seen';

export const answers: Answers<ExtremeView> = {
  topics: {
    hand: {
      text: TEXTS.hand,
      answer: ({ hands }, asker) => {
        const { white, red } = knownHand(asker.seat && at(hands, asker.seat)) ?? { white: [], red: [] };
        // Red goes down: the highest is the next one.
        return tellHand(
          [...white.map((value) => m.extreme_tell_white({ value })), ...red.toReversed().map((value) => m.extreme_tell_red({ value }))],
          asker,
        );
      },
    },
    pile: {
      text: TEXTS.pile,
      answer: ({ piles }, asker) =>
        `${m.extreme_white()}: ${tellPile(readPile(piles.white, 'white'), asker)} ${m.extreme_red()}: ${tellPile(readPile(piles.red, 'red'), asker)}`,
    },
    team: { text: m.keys_team, answer: (view) => tellTeam(view.public) },
    counts: {
      text: TEXTS.counts,
      answer: ({ hands }, asker) =>
        tellCounts(
          countIn(hands, ({ white, red }) => white.length + red.length),
          asker,
        ),
    },
  },
  keys: () => [...familyKeys(), { key: m.keys_arrows(), text: m.keys_arrows_says() }],
};
