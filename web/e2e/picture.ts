import { expect, type Page } from './people';

const SIZES = [
  [360, 740],
  [1280, 800],
  [1920, 1080],
] as const;

/** One moment on a phone, a laptop and a television, dark and light, for people to look at. */
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
      await page.screenshot({ path: `shots/${name}-${width}-${colorScheme}.png` });
    }
  }
  if (before) await page.setViewportSize(before);
}
