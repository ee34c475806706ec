import { at } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { SoulmatesView } from '../../wire.gen';
import type { Answers } from '../answers';
import { familyKeys, tellCounts, tellHand, tellPile, tellTeam, TEXTS } from '../family/answers';
import { countIn } from '../family/count';
import { knownHand, readPile } from '../family/seen';

export const answers: Answers<SoulmatesView> = {
  topics: {
    hand: {
      text: TEXTS.hand,
      answer: ({ hands, vision }, asker) => {
        const hand = tellHand((knownHand(asker.seat && at(hands, asker.seat)) ?? []).map(String), asker);
        // What the Seer has looked at, on the Seer's own page.
        const seen = asker.seat && typeof vision === 'object' ? vision.seer.known : [];
        return seen.length === 0 ? hand : `${hand} ${m.sm_tell_looked_you({ cards: seen.join(', ') })}`;
      },
    },
    pile: {
      text: m.keys_pile_slate,
      answer: ({ pile, public: { slate } }, asker) =>
        `${tellPile(readPile(pile), asker)} ${slate.length === 0 ? m.sm_slate_empty() : m.sm_tell_hinted({ cards: slate.join(', ') })}`,
    },
    team: { text: m.keys_lives, answer: ({ public: { level, lives } }) => tellTeam({ level, lives, stars: null }) },
    counts: { text: TEXTS.counts, answer: ({ hands }, asker) => tellCounts(countIn(hands), asker) },
  },
  keys: familyKeys,
};
