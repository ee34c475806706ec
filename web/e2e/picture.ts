import { expect, type Page } from './people';

const SIZES = [
  [360, 740],
  [1280, 800],
  [1920, 1080],
] as const;

/** With UNSPOKEN_SHOTS set, pictures are kept in `shots/` for people to look at. */
const keeps = process.env['UNSPOKEN_SHOTS'] !== undefined;

/** One moment on a phone, a laptop and a television: it fits, and there is a picture of it, dark and light. */
export async function picture(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height });
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    // What has just been drawn may still find its place.
    await expect.poll(wide, `${name} is as wide as the page at ${width}`).toBeLessThanOrEqual(0);
    if (keeps) await shoot(page, `shots/${name}-${width}`);
  }
  if (before) await page.setViewportSize(before);
}

async function shoot(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    // Drawn anew, so that no picture is half of one theme.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await page.screenshot({ path: `${path}-${colorScheme}.png` });
  }
}
