import type { RoyaleView } from '../../wire.gen';
import type { ReplayParts } from '../game';

/** Nothing beside the table: the code lies open on its board. */
export const replay: ReplayParts<RoyaleView> = { hand: null, turned: () => [], secret: null };
