import { begin, expect, extreme, focus, mind, open, sit, soulmates, test, type Locator, type Page } from './people';

/* Small, wide and enlarged pages: nothing is cut off or squeezed to nothing. */

const PHONE = { width: 360, height: 740 };
const ON_ITS_SIDE = { width: 740, height: 360 };

/** All of it is on the page. */
async function expectWhole(page: Page, part: Locator): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const inside = async () => {
    const boxes = await part.evaluateAll((parts) => parts.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
    return boxes.length > 0 && boxes.every(({ left, right, top, bottom }) => left >= 0 && top >= 0 && right <= width && bottom <= height);
  };
  await expect.poll(inside, { message: `${part} at ${width}×${height}` }).toBe(true);
}

test('twelve cards fit upright, on its side and with text at 200 %', async ({ person }) => {
  const pages = [await person('Ada', { viewport: PHONE }), await person('Ben')];
  const [ada] = pages as [Page, Page];
  const code = await open(ada, soulmates([{ cards: 24, look: 0, hints: 0 }]));
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  await ada.getByTestId('look').click();
  await ada.getByTestId('write').click();
  const enlarge = (size: string) => ada.evaluate((size) => (document.documentElement.style.fontSize = size), size);
  const everywhere = async (...testIds: string[]) => {
    for (const viewport of [PHONE, ON_ITS_SIDE]) {
      await ada.setViewportSize(viewport);
      for (const testId of testIds) await expectWhole(ada, ada.getByTestId(testId));
    }
    await ada.setViewportSize(PHONE);
    await enlarge('200%');
    for (const testId of testIds) await expectWhole(ada, ada.getByTestId(testId));
    await enlarge('');
  };
  await everywhere('pad', 'menu', 'chat');
  await focus(pages);
  await expect(ada.getByTestId('hand').locator('li')).toHaveCount(12);
  await everywhere('play-card', 'stop', 'menu', 'slate');
  // Cards find their places anew when the size changes.
  await expect(async () => {
    const cards = await ada
      .getByTestId('hand')
      .locator('li')
      .evaluateAll((all) => all.map((card) => card.getBoundingClientRect().toJSON() as DOMRect));
    for (const { left, right } of cards) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(right).toBeLessThanOrEqual(PHONE.width);
    }
    // The fan stands in the middle.
    const [first, last] = [cards.at(0)!, cards.at(-1)!];
    expect(Math.abs(first.left - (PHONE.width - last.right))).toBeLessThan(24);
  }).toPass({ timeout: 5_000 });
  // However long the word on the connection is, the buttons beside it keep their size.
  await ada.getByTestId('quality').evaluate((quality) => {
    quality.classList.remove('hidden-text');
    quality.querySelector('summary')!.textContent = 'Verbindung zu langsam '.repeat(4);
  });
  for (const id of ['menu', 'chat']) {
    const box = (await ada.getByTestId(id).boundingBox())!;
    expect(Math.min(box.width, box.height), id).toBeGreaterThanOrEqual(44);
    await expectWhole(ada, ada.getByTestId(id));
  }
});

test('a guest reads the free seats of a phone’s lobby, under a header of one line', async ({ person }) => {
  const ada = await person('Wilhelmina-Charlotte von');
  const ben = await person('Ben', { viewport: PHONE });
  await ben.goto('/');
  await expect(ben.getByTestId('my-record')).toBeVisible();
  const tops = await ben.locator('header a, header button').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  expect(tops.length).toBe(4);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(12);
  const code = await open(ada, mind({ players: 4 }));
  await sit(ada, code);
  await sit(ben, code);
  for (const page of [ben, ada]) {
    await page.setViewportSize(PHONE);
    const free = page.getByText('Free seat').first();
    await expect(free).toBeVisible();
    expect((await free.boundingBox())!.width).toBeGreaterThan(56);
    // A long name is shortened, and pushes nothing over the edge.
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(beyond).toBe(0);
  }
});

test('Extreme shows its last line on a small laptop', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  await begin(pages, extreme());
  await focus(pages);
  for (const testId of ['pile', 'play-card', 'stop', 'raise']) await expectWhole(pages[0]!, pages[0]!.getByTestId(testId));
  await expectWhole(pages[0]!, pages[0]!.getByText('Red goes down'));
});
