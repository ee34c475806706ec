import type { Seat } from '../wire.gen';

/** The shape of each seat, on a field of 32 by 32. */
export const SEAT_SHAPES: Record<Seat, string> = {
  A: 'M16 2a14 14 0 1 1 0 28 14 14 0 0 1 0-28z',
  B: 'M6 3h20a3 3 0 0 1 3 3v20a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3z',
  C: 'M16 1.5 31 29H1z',
  D: 'M16 .5 31.5 16 16 31.5.5 16z',
  E: 'M16 1l15.2 11-5.8 18H6.6L.8 12z',
};

/** The sign of each seat on the same field: wave, moon, leaf, shell and drop. */
export const SEAT_SIGNS: Record<Seat, string> = {
  A: 'M7 13q4.500-6 9 0t9 0M7 20q4.500-6 9 0t9 0',
  B: 'M19.500 8.500a8 8 0 1 0 4.500 11.500 6.600 6.600 0 0 1-4.500-11.500z',
  C: 'M8.500 23.500C8 13 14 8.500 24 8.500 24 18.500 19 24.500 8.500 23.500zM8.500 23.500 18 14.500',
  D: 'M16 24C8 21 7 9 16 8.500 25 9 24 21 16 24zM16 24V13M16 24 11.500 13M16 24l4.500-11',
  E: 'M16 7c4.600 5.400 7 8.600 7 12a7 7 0 0 1-14 0c0-3.400 2.400-6.600 7-12z',
};
