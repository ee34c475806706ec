import { tabTo, tabToOne } from './keyboard';
import { byCard, expect, extreme, mind, open, royale, showHandOnly, sit, soulmates, test, type Page } from './people';
import type { Home } from '../src/lib/keyfocus';
import type { Setup } from '../src/wire.gen';

/* Where the keyboard focus is, in every state of every game: `HOMES` in `src/lib/keyfocus.ts`. */

async function expectHome(page: Page, home: Home): Promise<void> {
  const at = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset['home'] ?? document.activeElement?.tagName);
  await expect.poll(at, `the focus is at ${home}`).toBe(home);
}

async function expectHomes(pages: Page[], home: Home): Promise<void> {
  for (const page of pages) await expectHome(page, home);
}

/** Everyone sits at a new table, and the first of them starts the game by a key. */
async function start(pages: Page[], setup: Setup): Promise<void> {
  const code = await open(pages[0]!, setup);
  for (const page of pages) await sit(page, code);
  await tabTo(pages[0]!, 'start');
  await pages[0]!.keyboard.press('Enter');
}

/** Everyone lays a hand down with Enter, where the focus is. */
async function layHands(pages: Page[]): Promise<void> {
  await expectHomes(pages, 'pad');
  for (const page of pages) {
    await page.keyboard.press('Enter');
    await expectHome(page, page === pages.at(-1) ? 'card' : 'pad');
  }
  await expectHomes(pages, 'card');
}

test('The Mind: laying hands, playing, no cards left, a stop, a level and the game over, and another game', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  await start(pages, mind({ levels: 2 }));
  await layHands(pages);
  await ada.keyboard.press('Escape');
  await layHands(pages);
  const [lowest, highest] = await byCard(pages);
  await lowest!.page.keyboard.press(' ');
  await expectHome(lowest!.page, 'empty');
  await expectHome(highest!.page, 'card');
  await highest!.page.keyboard.press('Enter');
  // The level is over; the last one is played with a mistake or without.
  await layHands(pages);
  await (await byCard(pages))[1]!.page.keyboard.press(' ');
  for (const page of pages) await expect(page.getByTestId('spoken')).toContainText('lives left');
  await expectHomes(pages, 'pad');
  await ada.keyboard.press('Enter');
  await pages[1]!.keyboard.press('Enter');
  for (const page of pages) await expect(page.getByTestId('focus')).toBeHidden();
  for (let cards = await byCard(pages); cards.length > 0; cards = await byCard(pages)) {
    const { page, value } = cards[0]!;
    await page.keyboard.press(' ');
    await expect(page.locator(`[data-testid=play-card][data-value="${value}"]`)).toHaveCount(0);
  }
  await expectHomes(pages, 'ending');
  // From the seats another game begins.
  await tabTo(ada, 'seats');
  await ada.keyboard.press('Enter');
  await expectHome(ada, 'begin');
  await ada.keyboard.press('Enter');
  await expectHomes(pages, 'pad');
});

test('Extreme: choosing a card for a star, having chosen, and the end', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  await start(pages, extreme());
  await layHands(pages);
  for (const page of pages) {
    await tabTo(page, 'raise');
    await page.keyboard.press('Enter');
  }
  await expectHomes(pages, 'choice');
  for (const page of pages) {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectHome(page, page === pages[0] ? 'choice' : 'ending');
  }
  await expectHomes(pages, 'ending');
});

test('Soulmates: looking, writing, waiting, a wrong order, and the end', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await start(pages, soulmates([{ cards: 2, look: 1, hints: 1 }]));
  await expectHome(ada, 'seer');
  await expectHome(ben, 'status');
  await tabTo(ada, 'look');
  await ada.keyboard.press('Enter');
  await expectHome(ada, 'hint');
  await expectHome(ben, 'status');
  await ada.keyboard.press('Enter');
  await tabTo(ada, 'write');
  await ada.keyboard.press('Enter');
  await expectHomes(pages, 'pad');
  for (const page of pages) await page.keyboard.press('Enter');
  for (const page of pages) await expect(page.getByTestId('focus')).toBeHidden();
  // The highest card first, and then the others: a wrong order.
  for (let cards = await byCard(pages); cards.length > 0; cards = await byCard(pages)) {
    const { page, value } = cards.at(-1)!;
    await expectHome(page, 'card');
    await page.keyboard.press(' ');
    await expect(page.locator(`[data-testid=play-card][data-value="${value}"]`)).toHaveCount(0);
  }
  await expectHome(ada, 'hint');
  await expectHome(ben, 'status');
  await tabTo(ada, 'write');
  await ada.keyboard.press('Enter');
  await layHands(pages);
  for (let cards = await byCard(pages); cards.length > 0; cards = await byCard(pages)) {
    const { page, value } = cards[0]!;
    await page.keyboard.press(' ');
    await expect(page.locator(`[data-testid=play-card][data-value="${value}"]`)).toHaveCount(0);
  }
  await expectHomes(pages, 'ending');
});

test('Royale: hiding a code, waiting, asking rows, the end of a round, and of the game', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await start(pages, royale());
  await expectHome(ada, 'cell');
  await expectHome(ben, 'status');
  for (const key of ['a', 'b', 'c']) {
    await ada.keyboard.press(key);
    await ada.keyboard.press(String('abc'.indexOf(key) + 1));
    await ada.keyboard.press('Enter');
  }
  await tabToOne(ada, ada.getByRole('button', { name: 'Hide this code' }));
  await ada.keyboard.press('Enter');
  await expectHome(ada, 'status');
  await expectHome(ben, 'place');
  for (const key of ['a', 'b', 'c', 'Enter']) await ben.keyboard.press(key);
  await expect(ben.getByTestId('row-colours')).toHaveCount(1);
  await expectHome(ben, 'place');
  for (const key of ['1', '2', '3', 'Enter']) await ben.keyboard.press(key);
  for (const page of pages) {
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
  }
  await expectHome(ben, 'cell');
  await expectHome(ada, 'status');
  for (const key of ['a', '4', 'Enter', 'b', '4', 'Enter', 'c', '4', 'Enter']) await ben.keyboard.press(key);
  await tabToOne(ben, ben.getByRole('button', { name: 'Hide this code' }));
  await ben.keyboard.press('Enter');
  await expectHome(ada, 'place');
  for (const key of ['a', 'b', 'c', 'Enter']) await ada.keyboard.press(key);
  await expect(ada.getByTestId('row-colours')).toHaveCount(1);
  await expectHome(ada, 'place');
  for (const key of ['4', '4', '4', 'Enter']) await ada.keyboard.press(key);
  await expectHomes(pages, 'ending');
});

test('a victory is played on blind, and a player who leaves is waited for', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await start(pages, mind({ levels: 1 }));
  await layHands(pages);
  await (await byCard(pages))[0]!.page.keyboard.press(' ');
  await expect(pages[0]!.getByTestId('pile')).toHaveAttribute('data-count', '1');
  for (const { page } of await byCard(pages)) await page.keyboard.press(' ');
  await expectHomes(pages, 'ending');
  for (const page of pages) {
    await tabTo(page, 'continue');
    await page.keyboard.press('Enter');
    await expectHome(page, page === ada ? 'ending' : 'pad');
  }
  await layHands(pages);
  await tabTo(ben, 'menu');
  await ben.keyboard.press('Enter');
  await tabTo(ben, 'leave');
  await ben.keyboard.press('Enter');
  await expectHome(ben, 'title');
  await expect(ada.getByTestId('missing')).toBeVisible();
  await expectHome(ada, 'missing');
});

test('Royale for three: two look for the code, each in a half', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Cleo')];
  const [ada, ben, cleo] = pages as [Page, Page, Page];
  await start(pages, royale({ players: 3, rounds: 3 }));
  await expectHome(ada, 'cell');
  await expectHomes([ben, cleo], 'status');
  for (const key of ['a', '1', 'Enter', 'b', '2', 'Enter', 'c', '3', 'Enter']) await ada.keyboard.press(key);
  await tabToOne(ada, ada.getByRole('button', { name: 'Hide this code' }));
  await ada.keyboard.press('Enter');
  await expectHome(ada, 'status');
  await expectHomes([ben, cleo], 'place');
  for (const key of ['a', 'b', 'c', 'Enter']) await ben.keyboard.press(key);
  await expectHome(ben, 'status');
  await expectHome(cleo, 'place');
  for (const key of ['1', '2', '3', 'Enter']) await cleo.keyboard.press(key);
  for (const page of pages) {
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
  }
  await expectHome(ben, 'cell');
  await expectHomes([ada, cleo], 'status');
});

test('a phone beside a big screen', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  await start(pages, mind({ levels: 1 }));
  await expectHome(ada, 'pad');
  await showHandOnly(ada);
  await expectHome(ada, 'pad');
  await layHands(pages);
  const [lowest] = await byCard(pages);
  await lowest!.page.keyboard.press(' ');
  await expectHome(lowest!.page, 'empty');
});

test('every dialog gives the focus back to its opener', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  async function openAndClose(page: Page, testId: string, inside?: () => Promise<void>): Promise<void> {
    await tabTo(page, testId);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toBeVisible();
    await inside?.();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect(page.getByTestId(testId)).toBeFocused();
  }
  await ada.goto('/');
  await openAndClose(ada, 'settings');
  await openAndClose(ada, 'new-table');
  const code = await open(ada, mind());
  for (const page of pages) await sit(page, code);
  await openAndClose(ada, 'settings');
  await openAndClose(ada, 'arrange');
  await tabTo(ada, 'start');
  await ada.keyboard.press('Enter');
  await expectHome(ada, 'pad');
  await openAndClose(ada, 'menu');
  await openAndClose(ada, 'menu', async () => {
    await tabToOne(ada, ada.getByRole('button', { name: 'Settings' }));
    await ada.keyboard.press('Enter');
    await expect(ada.getByRole('dialog', { name: 'Settings' })).toBeVisible();
  });
  await openAndClose(ada, 'chat');
  await openAndClose(ada, 'menu', async () => {
    await tabToOne(ada, ada.getByRole('button', { name: 'Settings' }));
    await ada.evaluate(() => document.activeElement!.remove());
    await expectHome(ada, 'dialog');
  });
  await tabTo(ada, 'pad');
  await ada.keyboard.press('?');
  await expect(ada.getByTestId('keys')).toBeVisible();
  await ada.keyboard.press('Escape');
  await expectHome(ada, 'pad');
});

test('a level that pauses for a player who cannot see it', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await start(pages, mind({ levels: 1 }));
  await layHands(pages);
  const look = (state: 'hidden' | 'visible') =>
    ben.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await look('hidden');
  await expectHome(ada, 'paused');
  await look('visible');
  for (const page of pages) {
    await tabTo(page, 'pad');
    await page.keyboard.press('Enter');
  }
  await expectHomes(pages, 'card');
});

test('a new page has the focus on its heading', async ({ person }) => {
  const ada = await person('Ada');
  await ada.goto('/');
  await tabToOne(ada, ada.getByRole('link', { name: 'Learn' }));
  await ada.keyboard.press('Enter');
  await expect(ada).toHaveURL(/learn/);
  await expectHome(ada, 'title');
});
