import { at } from '../../lib/seats';
import type { ExtremeView } from '../../wire.gen';
import { knownHand } from '../family/seen';
import { turnedOver } from '../family/turned';
import type { ReplayParts } from '../game';

export const replay: ReplayParts<ExtremeView> = {
  hand: (view, seat) => {
    const { white, red } = knownHand(at(view.hands, seat)) ?? { white: [], red: [] };
    return [
      ...white.map((value) => ({ value, colour: 'white' as const })),
      ...red.toReversed().map((value) => ({ value, colour: 'red' as const })),
    ];
  },
  turned: (view, open, last) =>
    last ? [...turnedOver(view.piles.white, open.piles.white, 'white'), ...turnedOver(view.piles.red, open.piles.red, 'red')] : [],
  secret: null,
};
