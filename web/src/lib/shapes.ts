import type { Seat } from '../wire.gen';

/** The shape of each seat, on a field of 32 by 32. */
export const SEAT_SHAPES: Record<Seat, string> = {
  A: 'M16 2a14 14 0 1 1 0 28 14 14 0 0 1 0-28z',
  B: 'M6 3h20a3 3 0 0 1 3 3v20a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z',
  C: 'M16 1.5 31 29H1z',
  D: 'M16 .5 31.5 16 16 31.5.5 16z',
  E: 'M16 1l15.2 11-5.8 18H6.6L.8 12z',
  F: 'M16 .5 29.5 8.2v15.6L16 31.5 2.5 23.8V8.2z',
};
