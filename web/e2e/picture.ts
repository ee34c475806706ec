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

/** One moment on a phone, a laptop and a television: it fits, and where pictures are kept there is one of it, dark and light. */
export async function picture(page: Page, name: Shot | `rules-${string}`): Promise<void> {
  if (keeps) test.setTimeout(test.info().timeout + KEPT_MS);
  const before = page.viewportSize();
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    // How wide a page is does not depend on its colours.
    for (const colorScheme of keeps ? (['dark', 'light'] as const) : (['light'] as const)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate(redraw, colorScheme);
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

/**
 * Computes the style of every element anew. Chromium leaves some colours of the other theme when only the theme has
 * changed; a variable that all elements inherit makes it look at each of them.
 */
async function redraw(theme: string): Promise<void> {
  document.documentElement.style.setProperty('--drawn', theme);
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}
