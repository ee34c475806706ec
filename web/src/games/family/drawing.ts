import type { Face } from './face';

/** Cards are drawn on a field of 100 by 140. */
export const WIDTH = 100;
export const HEIGHT = 140;

/** What a face is drawn with, besides its number: each of them grows with the value. */
export interface Drawing {
  /** The colour of the rings and the length mark. */
  hue: string;
  /** The same, dark enough to read the number on paper. */
  ink: string;
  rings: { r: number; opacity: number }[];
  /** How long the mark along the lower edge is. */
  mark: number;
}

type Rgb = readonly [number, number, number];

/** Indigo for 1, over teal, green and amber, to vermilion for 100. */
const RAMP: readonly Rgb[] = [
  [43, 58, 140],
  [20, 108, 134],
  [58, 128, 76],
  [198, 136, 34],
  [192, 62, 36],
];
const WHITE_HUE = '#2a7f8f';
const WHITE_INK = '#15313d';
const RED_HUE = '#ff9f80';
const RED_INK = '#ffe9df';

const INNER = 31;
const RINGS_MOST = 13;

export function drawing({ value, colour }: Face): Drawing {
  const share = value / highest(colour);
  const rgb = ramp(share);
  return {
    hue: colour === 'red' ? RED_HUE : colour === 'white' ? WHITE_HUE : text(rgb, 1),
    ink: colour === 'red' ? RED_INK : colour === 'white' ? WHITE_INK : text(rgb, 0.68),
    rings: rings(share),
    mark: Math.max(2, share * WIDTH),
  };
}

/** The Mind goes up to 100, each colour of Extreme to 50. Soulmates' cards, 1 to 50, are drawn as those of The Mind. */
function highest(colour: Face['colour']): number {
  return colour === null ? 100 : 50;
}

/** One faint ring for the lowest card, and more and wider ones up to the highest. */
function rings(share: number): Drawing['rings'] {
  const count = 1 + Math.round(share * (RINGS_MOST - 1));
  const outer = INNER + 3 + share * 50;
  return Array.from({ length: count }, (_, index) => {
    const out = (index + 1) / count;
    return { r: round(INNER + (outer - INNER) * out), opacity: round(0.62 - 0.4 * out) };
  });
}

function ramp(share: number): Rgb {
  const place = Math.min(share, 1) * (RAMP.length - 1);
  const index = Math.min(Math.floor(place), RAMP.length - 2);
  const [from, to] = [RAMP[index]!, RAMP[index + 1]!];
  return [0, 1, 2].map((part) => from[part]! + (to[part]! - from[part]!) * (place - index)) as unknown as Rgb;
}

const round = (value: number) => Math.round(value * 100) / 100;
const text = (rgb: Rgb, dark: number) => `rgb(${rgb.map((part) => Math.round(part * dark)).join(' ')})`;
