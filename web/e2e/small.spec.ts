import { begin, byCard, expect, focus, mind, open, playLevel, royale, sit, test, type Page } from './people';

const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1280, height: 800 };

/** How far the middle of the title is from the middle of the page, on a phone and on a laptop. */
async function titleOffsets(page: Page): Promise<number[]> {
  const offsets: number[] = [];
  for (const viewport of [PHONE, LAPTOP]) {
    await page.setViewportSize(viewport);
    const title = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
    offsets.push(Math.abs(title.x + title.width / 2 - viewport.width / 2));
  }
  return offsets;
}

/** The numbers of the cards in a list, in the order in which they stand. */
async function numbersIn(page: Page): Promise<number[]> {
  const texts = await page.getByTestId('story').getByRole('list').first().getByRole('listitem').allInnerTexts();
  return texts.map((text) => Number(/\d+/.exec(text)![0]));
}

test('the title keeps its place, one’s own words leave no mark, and the chat says its name once', async ({ person }) => {
  const [ada, ben] = [await person('Ada'), await person('Ben')];
  const manners = { photo_finish: false, tempo_report: 'every-level', seeding: 'fixed', export: false } as const;
  await begin([ada, ben], mind({ levels: 3, manners }));
  await expect(ada.getByTestId('tempo')).toBeHidden();
  const before = await titleOffsets(ada);
  await playLevel([ada, ben]);
  await playLevel([ada, ben]);
  await expect(ada.getByTestId('tempo')).toBeVisible();
  const after = await titleOffsets(ada);
  for (const offset of [...before, ...after]) expect(offset).toBeLessThanOrEqual(1);

  await ada.getByTestId('chat').click();
  await expect(ada.getByRole('dialog').getByRole('heading', { name: 'Chat' })).toHaveCount(1);
  await ada.getByTestId('chat-text').fill('well done');
  await ada.keyboard.press('Enter');
  await expect(ada.getByTestId('chat-lines')).toContainText('well done');
  await ada.keyboard.press('Escape');
  await expect(ben.getByTestId('chat')).toContainText('unread');
  await expect(ada.getByTestId('chat')).not.toContainText('unread');
});

test('cards that should have come first stand in their order, and lost hearts keep their places', async ({ person }) => {
  const pages = [await person('Ada', { viewport: PHONE }), await person('Ben', { viewport: PHONE })];
  await begin(pages, mind({ levels: 8 }));
  for (let level = 1; ; level += 1) {
    expect(level, 'no deal has two lower cards in one hand').toBeLessThan(8);
    for (const page of pages) await expect(page.getByTestId('hand').locator('li')).toHaveCount(level);
    const [lowest, highest] = await byCard(pages);
    const hand = (await lowest!.page.getByTestId('hand').locator('li').allInnerTexts()).map((text) => Number(/\d+/.exec(text)![0]));
    const lower = hand.filter((value) => value < highest!.value).sort((one, other) => one - other);
    if (lower.length < 2) {
      await playLevel(pages);
      continue;
    }
    const livesBefore = Number(await pages[0]!.getByTestId('lives').getAttribute('data-count'));
    const placesBefore = await pages[0]!.getByTestId('lives').locator('svg').count();
    expect(placesBefore).toBeGreaterThanOrEqual(livesBefore);
    await focus(pages);
    await highest!.page.getByTestId('play-card').click();
    for (const page of pages) {
      await expect(page.getByTestId('story')).toHaveAttribute('data-kind', 'erred');
      await expect.poll(() => numbersIn(page)).toEqual(lower);
      const lives = page.getByTestId('lives');
      await expect(lives).toHaveAttribute('data-count', String(livesBefore - 1));
      await expect(lives.locator('svg')).toHaveCount(placesBefore);
      for (const heart of await lives.locator('svg').all()) await expect(heart).toBeInViewport({ ratio: 1 });
    }
    return;
  }
});

test('on a phone the board of Royale says what its signs mean', async ({ person }) => {
  const pages = [await person('Ada', { viewport: PHONE }), await person('Ben', { viewport: PHONE })];
  const [ada, ben] = pages as [Page, Page];
  const code = await open(ada, royale());
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  for (const card of ['B3', 'D1', 'E5']) await ada.getByTestId(`card-${card}`).click();
  await ada.getByTestId('hide').click();
  await expect(ben.getByTestId('royale')).toHaveAttribute('data-phase', 'breaking');
  for (const words of ['in place', 'elsewhere']) {
    for (const page of pages) await expect(page.getByText(words, { exact: true }).first()).toBeInViewport({ ratio: 1 });
  }
});

test('a first visit leaves the console empty', async ({ browser, contextOptions }) => {
  const context = await browser.newContext(contextOptions);
  const page = await context.newPage();
  const lines: string[] = [];
  page.on('console', (line) => ['error', 'warning'].includes(line.type()) && lines.push(`${line.location().url}: ${line.text()}`));
  page.on('pageerror', (error) => lines.push(error.message));
  for (const path of ['/', '/learn', '/rules/mind', '/daily', '/me', '/accessibility']) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
  }
  await context.close();
  expect(lines).toEqual([]);
});
