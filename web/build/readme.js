// The README's pictures, small: those of a laptop by night in `shots/`, at three quarters of their size.
// Run by `cargo xtask shots --readme`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { LAUNCH } from './chromium.js';

const NAMES = ['mind', 'extreme', 'soulmates', 'royale'];
const SHOTS = join(import.meta.dirname, '../shots');
const IMAGES = join(import.meta.dirname, '../../docs/images');
const WIDTH = 960;
const HEIGHT = 600;
const QUALITY = 82;

const browser = await chromium.launch(LAUNCH);
const page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
for (const name of NAMES) {
  const shot = join(SHOTS, `${name}-1280-dark.png`);
  if (!existsSync(shot)) throw new Error(`${shot} was not taken`);
  await page.goto(`file://${shot}`);
  await page.addStyleTag({
    content: `body { margin: 0 } img { display: block; width: ${WIDTH}px !important; height: ${HEIGHT}px !important }`,
  });
  await page.screenshot({ path: join(IMAGES, `${name}.jpg`), type: 'jpeg', quality: QUALITY });
}
await browser.close();
