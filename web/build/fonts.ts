import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';

interface Font {
  /** The name of the file that is written. */
  name: string;
  /** A variable font from npm. */
  source: string;
  /** Unicode ranges to keep, first and last included. */
  ranges: readonly (readonly [number, number])[];
  /** One value fixes an axis, a range keeps it variable. */
  axes: Record<string, number | { min: number; max: number }>;
}

/** English, French, German, Spanish and Italian, and the signs that the interface uses. */
const LATIN = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x152, 0x153],
  [0x178, 0x178],
  [0x2009, 0x202f],
  [0x2039, 0x203a],
  [0x20ac, 0x20ac],
  [0x2191, 0x2193],
  [0x2212, 0x2212],
] as const;
/** Names from the rest of Europe; loaded by pages that show one. */
const LATIN_EXT = [
  [0x100, 0x17f],
  [0x218, 0x21b],
  [0x1e80, 0x1e85],
  [0x1e9e, 0x1e9e],
] as const;

const TEXT_AXES = { wght: { min: 400, max: 700 } };
const TITLE_AXES = { wght: 600, opsz: 48 };
const FONTS: readonly Font[] = [
  { name: 'text', source: '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2', ranges: LATIN, axes: TEXT_AXES },
  {
    name: 'text-ext',
    source: '@fontsource-variable/figtree/files/figtree-latin-ext-wght-normal.woff2',
    ranges: LATIN_EXT,
    axes: TEXT_AXES,
  },
  { name: 'title', source: '@fontsource-variable/fraunces/files/fraunces-latin-opsz-normal.woff2', ranges: LATIN, axes: TITLE_AXES },
  {
    name: 'title-ext',
    source: '@fontsource-variable/fraunces/files/fraunces-latin-ext-opsz-normal.woff2',
    ranges: LATIN_EXT,
    axes: TITLE_AXES,
  },
];
const FEATURES = ['kern', 'liga', 'lnum', 'tnum', 'mark', 'ccmp', 'locl'];

const FOLDER = join(import.meta.dirname, '../src/fonts');

/** Writes the parts of our fonts that the page needs to `src/fonts`, before anything asks for them. */
export function fonts(): Plugin {
  return {
    name: 'fonts',
    async configResolved() {
      mkdirSync(FOLDER, { recursive: true });
      for (const font of FONTS) await write(font);
    },
  };
}

async function write({ name, source, ranges, axes }: Font): Promise<void> {
  const path = join(FOLDER, `${name}.woff2`);
  const whole = readFileSync(createRequire(import.meta.url).resolve(source));
  const characters = ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index)),
  );
  // Named first, because the published types do not know `keepFeatures` and `noHinting` yet.
  const options = { targetFormat: 'woff2' as const, variationAxes: axes, keepFeatures: FEATURES, noHinting: true };
  const part = await subsetFont(whole, characters.join(''), options);
  // An unchanged file keeps its time, so that nothing is built again because of it.
  if (!existsSync(path) || !readFileSync(path).equals(part)) writeFileSync(path, part);
}
