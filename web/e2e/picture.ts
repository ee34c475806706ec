import { expect, test, type Page } from './people';
import type { Shot } from './shots';

const SIZES = [
  [360, 740],
  [1280, 800],
  [1920, 1080],
] as const;

const SETTLED_MS = 250;
/** What six pictures take on a busy machine: a story that keeps them has that much longer. */
const KEPT_MS = 60_000;

/** With UNSPOKEN_SHOTS set, pictures are kept in `shots/` for people to look at. */
export const keeps = process.env['UNSPOKEN_SHOTS'] !== undefined;

/** One moment on a phone, a laptop and a television, dark and light: it fits, and there is a picture of it. */
export async function picture(page: Page, name: Shot | `rules-${string}`): Promise<void> {
  if (keeps) test.setTimeout(test.info().timeout + KEPT_MS);
  const before = page.viewportSize();
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // A busy machine draws a part of the page in the other theme for a while.
      await expect.poll(() => page.evaluate(isDrawn), `${name} is drawn in ${colorScheme}`).toBe(true);
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      // What has just been drawn may still find its place.
      await expect.poll(wide, `${name} is as wide as the page at ${width}`).toBeLessThanOrEqual(0);
      // Colours that change with the theme take a moment to settle.
      if (keeps) await page.waitForTimeout(SETTLED_MS);
      if (keeps) await page.screenshot({ path: `shots/${name}-${width}-${colorScheme}.png` });
    }
  }
  if (before) await page.setViewportSize(before);
}

/** Whether every part of the page has the colours of the theme, two frames after they were looked at. */
async function isDrawn(): Promise<boolean> {
  const text = (element: Element) => getComputedStyle(element).getPropertyValue('--text');
  const wanted = text(document.documentElement);
  const drawn = [...document.querySelectorAll('body *')].every((element) => text(element) === wanted);
  await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)));
  return drawn;
}
