import { at } from '../../lib/seats';
import type { MindView } from '../../wire.gen';
import { plain } from '../family/face';
import { knownHand } from '../family/seen';
import { turnedOver } from '../family/turned';
import type { ReplayParts } from '../game';

export const replay: ReplayParts<MindView> = {
  hand: (view, seat) => knownHand(at(view.hands, seat))?.map(plain) ?? [],
  turned: (view, open, last) => (last ? turnedOver(view.pile, open.pile) : []),
  secret: null,
};
