import { at, nameAt } from '../../lib/seats';
import { m } from '../../paraglide/messages';
import type { SoulmatesView } from '../../wire.gen';
import { plain } from '../family/face';
import { knownHand } from '../family/seen';
import { turnedOver } from '../family/turned';
import type { ReplayParts } from '../game';

export const replay: ReplayParts<SoulmatesView> = {
  hand: (view, seat) => knownHand(at(view.hands, seat))?.map(plain) ?? [],
  turned: (view, open, last) => (last || view.public.phase === 'amending' ? turnedOver(view.pile, open.pile) : []),
  secret: (view, table, eyes) => {
    const { seer } = view.public;
    const known = typeof view.vision === 'object' ? view.vision.seer.known : [];
    if (known.length === 0 || (eyes !== 'all' && eyes !== seer)) return null;
    return m.replay_seer_saw({ name: nameAt(table, seer), cards: known.join(' · ') });
  },
};
