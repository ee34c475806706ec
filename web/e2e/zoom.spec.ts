import { expectAccessible } from './axe';
import { picture } from './picture';
import { expect, extreme, mind, open, royale, sit, soulmates, test, type Page } from './people';
import type { Setup } from '../src/wire.gen';

/* A laptop at 400 %: 320 by 256. Everything is reached by scrolling, and nothing covers anything. */

const AT_400 = { viewport: { width: 320, height: 256 } };

/** Each part can be scrolled to and would get a press. */
async function expectReachable(page: Page, ...testIds: string[]): Promise<void> {
  for (const testId of testIds) {
    const part = page.getByTestId(testId).first();
    await expect(part).toBeEnabled();
    await part.click({ trial: true });
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth), 'nothing is scrolled sideways').toBeLessThanOrEqual(320);
}

async function start(pages: Page[], setup: Setup): Promise<void> {
  const code = await open(pages[0]!, setup);
  for (const page of pages) await sit(page, code);
  await expectReachable(pages[0]!, 'start', 'arrange', 'settings');
  await pages[0]!.getByTestId('start').click();
}

async function layHands(pages: Page[]): Promise<void> {
  for (const page of pages) await page.getByTestId('pad').press('Enter');
  for (const page of pages) await expect(page.getByTestId('focus')).toBeHidden();
}

for (const [game, setup] of [
  ['The Mind', mind()],
  ['Extreme', extreme()],
] as const) {
  test(`${game} at 400 %`, async ({ person }) => {
    const pages = [await person('Ada', AT_400), await person('Ben')];
    const ada = pages[0]!;
    await start(pages, setup);
    await expectReachable(ada, 'pad', 'menu', 'chat');
    await ada.locator('#focus-says').click({ trial: true });
    await layHands(pages);
    await expectReachable(ada, 'play-card', 'stop', 'raise', 'menu');
    await expectAccessible(ada, 'playing at 400 %');
    for (const page of pages) {
      await page.getByTestId('menu').click();
      await page.getByTestId('propose-end').click();
    }
    await expect(ada.getByTestId('ending')).toBeVisible();
    await expectReachable(ada, 'rematch', 'deal', 'replay', 'seats', 'menu');
    if (game !== 'The Mind') return;
    await ada.getByTestId('replay').click();
    await expect(ada.getByTestId('stage')).toBeVisible();
    await expectReachable(ada, 'settings', 'together', 'deal');
    await ada.goto('/me');
    await expectReachable(ada, 'watch');
  });
}

test('Soulmates at 400 %', async ({ person }) => {
  const pages = [await person('Ada', AT_400), await person('Ben')];
  const ada = pages[0]!;
  await start(pages, soulmates([{ cards: 2, look: 1, hints: 1 }]));
  await expectReachable(ada, 'look');
  await ada.getByTestId('look').click();
  await expectReachable(ada, 'write', 'slate');
  await ada.getByTestId('write').click();
  await expectReachable(ada, 'pad');
  await layHands(pages);
  await expectReachable(ada, 'play-card', 'stop');
});

test('Royale at 400 %', async ({ person }) => {
  const pages = [await person('Ada', AT_400), await person('Ben', AT_400)];
  const [ada, ben] = pages as [Page, Page];
  await start(pages, royale());
  await expectReachable(ada, 'card-A1', 'card-E5', 'pane-rows', 'pane-sheet');
  for (const card of ['A1', 'B2', 'C3']) await ada.getByTestId(`card-${card}`).click();
  await expectReachable(ada, 'hide');
  await ada.getByTestId('hide').click();
  await expectReachable(ben, 'token-colours-1', 'token-colours-5', 'zone-shapes', 'pane-grid');
  for (const kind of [1, 2, 3]) await ben.getByTestId(`token-colours-${kind}`).click();
  await expectReachable(ben, 'ask-colours');
});

test('the pages at 400 %', async ({ person }) => {
  const page = await person('Ada', AT_400);
  await page.goto('/');
  await expectReachable(page, 'play-now', 'new-table', 'code', 'join', 'settings');
  await page.getByTestId('settings').click();
  await expectReachable(page, 'accessibility');
  await page.getByTestId('accessibility').click();
  await expect(page.getByRole('heading', { level: 1, name: 'Accessibility' })).toBeVisible();
  await expectReachable(page);
  await expectAccessible(page, 'the accessibility page');
  await picture(page, 'access');
  for (const [path, title] of [
    ['/learn', 'Learn'],
    ['/rules/mind', 'The Mind'],
    ['/rules/royale', 'Royale'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title);
    await expectReachable(page, 'settings');
    const last = page.getByRole('main').locator('a, button, summary').last();
    await last.click({ trial: true });
  }
});
