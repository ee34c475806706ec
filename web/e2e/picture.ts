import { expect, type Page } from './people';

const SIZES = [
  [360, 740],
  [1280, 800],
  [1920, 1080],
] as const;

/** With UNSPOKEN_SHOTS set, pictures are kept in `shots/` for people to look at. */
const keeps = process.env['UNSPOKEN_SHOTS'] !== undefined;

/** One moment on a phone, a laptop and a television, dark and light: it fits, and there is a picture of it. */
export async function picture(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // Drawn anew, so that no picture is half of one theme.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      // What has just been drawn may still find its place.
      await expect.poll(wide, `${name} is as wide as the page at ${width}`).toBeLessThanOrEqual(0);
      if (keeps) await page.screenshot({ path: `shots/${name}-${width}-${colorScheme}.png` });
    }
  }
  if (before) await page.setViewportSize(before);
}
