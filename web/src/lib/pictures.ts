import type { BotKind, MarkColour, MarkPicture } from '../wire.gen';

/** A picture of a mark on a field of 32 by 32: lines, and what is filled. */
export interface Drawing {
  lines?: string;
  filled?: string;
}

/** What a person may choose, in the order in which it is offered. */
export const PICTURES: Record<MarkPicture, Drawing> = {
  wave: { lines: 'M7 13q4.500-6 9 0t9 0M7 20q4.500-6 9 0t9 0' },
  moon: { filled: 'M19.500 7.500a9 9 0 1 0 5 12.500 7.200 7.200 0 0 1-5-12.500z' },
  leaf: { lines: 'M8.500 23.500C8 13 14 8.500 24 8.500 24 18.500 19 24.500 8.500 23.500zM8.500 23.500 18 14.500' },
  shell: { lines: 'M16 24C8 21 7 9 16 8.500 25 9 24 21 16 24zM16 24V13M16 24l-4.500-11M16 24l4.500-11' },
  feather: { lines: 'M9 24 22 10M12 21c-2-7 3-13 12-13 0 8-4 13.500-12 13M15 17.500h5M17.500 14.500h4.500' },
  stone: { filled: 'M8 19c0-5 4-9 9-9 4.500 0 8 3.500 8 8 0 4-3.500 5.500-9 5.500S8 22 8 19z' },
  sun: {
    filled: 'M16 11a5 5 0 1 1 0 10 5 5 0 0 1 0-10z',
    lines: 'M16 6v1.500M16 24.500V26M6 16h1.500M24.500 16H26M9 9l1 1M22 22l1 1M9 23l1-1M22 10l1-1',
  },
  star: { filled: 'm16 7 2.700 6 6.500.700-4.900 4.400 1.400 6.400-5.700-3.300-5.700 3.300 1.400-6.400L6.800 13.700l6.500-.700z' },
  drop: { lines: 'M16 7c4.600 5.400 7 8.600 7 12a7 7 0 0 1-14 0c0-3.400 2.400-6.600 7-12z' },
  flame: {
    lines:
      'M16 25c-4.500 0-7-3-7-6.500 0-3.500 3-5.500 4-10.500 3.500 2 4 5 4 7 1.200-.800 1.800-2 1.800-3.500 2.700 2 4.200 4.500 4.200 7 0 3.500-2.500 6.500-7 6.500z',
  },
  mountain: { lines: 'M6 23 13 10l4.500 8 2.500-4 6 9zM10.500 14.700l2.500 1.800 2.200-1.800' },
  tree: { lines: 'M16 25v-7M16 18c-5 0-7-2-7-5s3-6 7-6 7 3 7 6-2 5-7 5zM16 16l3-3' },
  fish: {
    lines: 'M6.500 16c3-5 6.500-6 9.500-6s5.500 3 6.500 6c-1 3-3.500 6-6.500 6s-6.500-1-9.500-6zM22.500 16l3.500-4v8zM11.500 14.500h.1',
  },
  bird: { lines: 'M6.500 12.500c4-1.500 7 .500 9.500 5 2.500-4.500 5.500-6.500 9.500-5M16 17.500v3' },
  boat: { lines: 'M7 20h18c-1.500 3-3.500 4-6 4h-6c-2.500 0-4.500-1-6-4zM15.500 17V7.500l7 9.500zM12.500 17v-6L9 17z' },
  flower: {
    filled: 'M16 13.800a2.200 2.200 0 1 1 0 4.400 2.200 2.200 0 0 1 0-4.400z',
    lines: 'M16 13.500c-3-5 3-5 0 0M16 13.500c-4-6 4-6 0 0zM18.500 16c6-4 6 4 0 0zM16 18.500c4 6-4 6 0 0zM13.500 16c-6 4-6-4 0 0z',
  },
  cloud: { lines: 'M11 22a4 4 0 0 1-.500-8A6 6 0 0 1 22 14.500 3.800 3.800 0 0 1 21.500 22z' },
  key: { lines: 'M12 11.500a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM16 15.500h9.500M22 15.500v3.500M25.500 15.500v2.500' },
  kite: { lines: 'M16 6.500 23 14l-7 8-7-8zM16 6.500V22M9 14h14M16 22q-2 1.500 0 2.500t-1 2' },
  snail: {
    lines:
      'M7 23h15c2.500 0 3.500-2 3.500-5l-.500-5M22.500 11.500l2.500 1.500 2-2M20.500 23c1.500-8-11-11-11-3 0 5.500 7.500 4.500 7 0-.300-2.500-3.500-2.500-3.500 0',
  },
};

/** Bots have pictures that no person can choose: made of corners, because they were made. */
export const BOT_PICTURES: Record<BotKind | 'ghost', Drawing> = {
  kindred: { lines: 'M8 12.500h8v8H8zM16 11.500h8v8h-8z', filled: 'M14 14.500h4v3h-4z' },
  steady: { lines: 'M8 22V10M13.300 22V10M18.700 22V10M24 22V10' },
  hasty: { filled: 'M18 6.500 9 17.500h5.500L13 25.500l9.500-12H17z' },
  dreamy: { lines: 'M9 10h8l-8 8h8M19 16h5l-5 6h5' },
  random: {
    lines: 'M9 9h14v14H9z',
    filled: 'M12 12h2.500v2.500H12zM17.500 12H20v2.500h-2.500zM12 17.500h2.500V20H12zM17.500 17.500H20V20h-2.500z',
  },
  novice: { lines: 'M10 23V9h12v14M10 16h12' },
  student: { lines: 'M6.500 13 16 8.500l9.500 4.500-9.500 4.500zM11 15.500V21l5 2.500 5-2.500v-5.500' },
  master: { lines: 'M8 22V11l4.500 5L16 9l3.500 7 4.500-5v11z' },
  cunning: { lines: 'M8 9l5 3h6l5-3v9l-8 6.500L8 18zM12.500 16h1.500M18 16h1.500' },
  ghost: { lines: 'M9 24V14a7 7 0 0 1 14 0v10l-3.500-2.500L16 24l-3.500-2.500zM13 14h.1M19 14h.1' },
};

export const COLOURS = ['teal', 'violet', 'green', 'orange', 'rose', 'amber', 'blue', 'sand'] as const satisfies readonly MarkColour[];
