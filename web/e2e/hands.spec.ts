import type { CDPSession } from '@playwright/test';
import { begin, byCard, expect, focus, front, mind, test, type Page } from './people';

test.describe('on a phone', () => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

  /** One finger, as the browser feels it. */
  async function finger(page: Page) {
    const session: CDPSession = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints });
    const middle = async (id: string) => {
      const box = (await page.getByTestId(id).boundingBox())!;
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    return {
      press: async (id: string) => touch('touchStart', [await middle(id)]),
      lift: () => touch('touchEnd', []),
      async flick(id: string) {
        const { x, y } = await middle(id);
        await touch('touchStart', [{ x, y }]);
        for (let step = 1; step <= 6; step += 1) await touch('touchMove', [{ x, y: y - step * 20 }]);
        await touch('touchEnd', []);
      },
    };
  }

  test('a hand is held on the table, and a card goes down by a flick', async ({ person }) => {
    const pages = [await person('Ada', phone), await person('Ben', phone)];
    const [ada, ben] = pages as [Page, Page];
    await begin(pages, mind());
    const [first, second] = [await finger(ada), await finger(ben)];

    await first.press('pad');
    await expect(ben.getByTestId('hand-A')).toHaveAttribute('data-rests', 'true');
    await expect.poll(() => ada.getByTestId('pad').getAttribute('aria-pressed')).toBe('true');
    await second.press('pad');
    for (const page of pages) await expect(page.getByTestId('pile')).toBeVisible();
    await first.lift();
    await second.lift();
    for (const page of pages) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', '0');

    const [lowest, highest] = await byCard(pages);
    await (lowest!.page === ada ? first : second).flick('play-card');
    for (const page of pages) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', '1');
    await highest!.page.getByTestId('play-card').tap();
    for (const page of pages) await expect(page.getByTestId('story')).toHaveAttribute('data-kind', 'completed');
  });

  for (const viewport of [phone.viewport, { width: 740, height: 360 }]) {
    test(`nothing scrolls and nothing is cut off at ${viewport.width}×${viewport.height}`, async ({ person }) => {
      const options = { ...phone, viewport };
      const pages = [await person('Ada', options), await person('A very long name indeed', options)];
      await begin(pages, mind({ levels: 12 }));
      await fits(pages);
      await focus(pages);
      await fits(pages);
    });
  }

  async function fits(pages: Page[]): Promise<void> {
    for (const page of pages) {
      const { wide, high } = await page.evaluate(() => {
        const root = document.scrollingElement!;
        return { wide: root.scrollWidth - innerWidth, high: root.scrollHeight - innerHeight };
      });
      expect({ wide, high }).toEqual({ wide: 0, high: 0 });
      for (const id of ['pad', 'play-card', 'stop', 'raise', 'menu', 'chat']) {
        const element = page.getByTestId(id);
        if ((await element.count()) === 0) continue;
        const box = (await element.boundingBox())!;
        const { width, height } = page.viewportSize()!;
        expect(box.y + box.height, id).toBeLessThanOrEqual(height);
        expect(box.x + box.width, id).toBeLessThanOrEqual(width + 1);
        expect(Math.min(box.width, box.height), id).toBeGreaterThanOrEqual(44);
      }
    }
  }
});

test('a short tap leaves the hand lying', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await begin(pages, mind());
  await ada.getByTestId('pad').click();
  await expect(ben.getByTestId('hand-A')).toHaveAttribute('data-rests', 'true');
  await ada.getByTestId('pad').click();
  await expect(ben.getByTestId('hand-A')).toHaveAttribute('data-rests', 'false');
  expect(await front(ada)).not.toBeNull();
});
