import { at } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { MindView } from '../../wire.gen';
import type { Answers } from '../answers';
import { familyKeys, tellCounts, tellHand, tellPile, tellTeam, TEXTS } from '../family/answers';
import { countIn } from '../family/count';
import { knownHand, readPile } from '../family/seen';

export const answers: Answers<MindView> = {
  topics: {
    hand: {
      text: TEXTS.hand,
      answer: ({ hands }, asker) => tellHand((knownHand(asker.seat && at(hands, asker.seat)) ?? []).map(String), asker),
    },
    pile: { text: TEXTS.pile, answer: ({ pile }, asker) => tellPile(readPile(pile), asker) },
    team: { text: m.keys_team, answer: (view) => tellTeam(view.public) },
    counts: { text: TEXTS.counts, answer: ({ hands }, asker) => tellCounts(countIn(hands), asker) },
  },
  keys: familyKeys,
};
