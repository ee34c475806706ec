import type { Locator } from '@playwright/test';
import { tabTo, tabToOne } from './keyboard';
import { byCard, expect, front, test, type Page } from './people';
import type { GameName } from '../src/wire.gen';

/* Whole games by keys alone: no pointer, and the focus is only ever moved by the page and by Tab. */

async function press(page: Page, testId: string, key = 'Enter'): Promise<void> {
  await expect(page.getByTestId(testId)).toBeEnabled();
  await tabTo(page, testId);
  await page.keyboard.press(key);
}

/** Opens a table with as little of something as there may be, and has a name by the end of it. */
async function openTable(page: Page, game: GameName, name: string, least: 'Levels' | 'Lives' | 'Rounds' = 'Levels'): Promise<string> {
  await page.goto('/');
  const choice = page.getByTestId(`game-${game}`);
  await tabToOne(page, page.getByTestId('game-mind'));
  for (let moves = 0; moves < 4 && !(await choice.isChecked()); moves += 1) await page.keyboard.press('ArrowDown');
  await press(page, 'new-table');
  await expect(page.getByRole('dialog')).toBeVisible();
  await tabToOne(page, page.getByTestId('more').locator('summary'));
  await page.keyboard.press('Enter');
  const fewer = page.getByRole('button', { name: `Fewer: ${least}` });
  await tabToOne(page, fewer);
  while (await fewer.isEnabled()) await page.keyboard.press('Enter');
  await press(page, 'agree-setup');
  await expect(page.getByTestId('name')).toBeFocused();
  // The suggested name is selected: typing replaces it.
  await page.keyboard.type(name);
  await expect(page.getByTestId('name')).toHaveValue(name);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('seat-A')).toContainText(name);
  return (await page.getByTestId('table-code').innerText()).trim();
}

async function join(page: Page, code: string, name: string): Promise<void> {
  await page.goto('/');
  await tabTo(page, 'code');
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('name')).toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await press(page, 'ready');
}

/** Enter lays the hand down, for players who cannot hold a key. */
async function layHands(pages: Page[]): Promise<void> {
  for (const page of pages) await press(page, 'pad');
  for (const page of pages) await expect(page.getByTestId('focus')).toBeHidden();
}

test('The Mind, from the home page to the end: a stop, a star, victory, and again', async ({ stranger }) => {
  const pages = [await stranger(), await stranger()];
  const [ada, ben] = pages as [Page, Page];
  await join(ben, await openTable(ada, 'mind', 'Ada'), 'Ben');
  await press(ada, 'start');

  await layHands(pages);
  await press(ada, 'stop');
  await expect(ben.getByTestId('story')).toContainText('Ada stopped');
  await press(ada, 'pad');
  await expect(ben.getByTestId('player-A')).toContainText('hand on the table');
  await ada.keyboard.press('Enter');
  await expect(ben.getByTestId('player-A')).not.toContainText('hand on the table');
  await layHands(pages);

  const [lowest, highest] = await byCard(pages);
  await lowest!.page.keyboard.press(' ');
  for (const page of pages) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', '1');
  await press(highest!.page, 'play-card');
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');

  // On into the blind encore, where a star ends the level.
  for (const page of pages) await press(page, 'continue');
  await layHands(pages);
  const before = await Promise.all(pages.map(front));
  for (const page of pages) await press(page, 'raise');
  for (const page of pages) await expect(page.getByTestId('spoken')).toContainText(String(before[0]));
  for (const page of pages) await expect(page.getByTestId('ending')).toBeVisible();
  await press(ada, 'rematch');
  for (const page of pages) await expect(page.getByTestId('pad')).toBeVisible();
});

test('Extreme, from the home page to the end, with the secret choice for a star', async ({ stranger }) => {
  const pages = [await stranger(), await stranger()];
  const [ada, ben] = pages as [Page, Page];
  await join(ben, await openTable(ada, 'extreme', 'Ada'), 'Ben');
  await press(ada, 'start');
  await layHands(pages);

  for (const page of pages) await press(page, 'raise');
  for (const page of pages) {
    const choice = page.locator('[data-testid^=choose-]').first();
    await tabToOne(page, choice);
    await page.keyboard.press('Enter');
  }
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');
  await press(ada, 'rematch');
  await layHands(pages);

  /** The player with the card that comes first on its pile plays it; white before red. */
  for (let left = 2; left > 0; left -= 1) {
    const fronts: { page: Page; button: Locator; rank: number }[] = [];
    for (const page of pages) {
      for (const side of ['white', 'red'] as const) {
        const button = page.locator(`[data-side=${side}]`).getByTestId('play-card');
        if ((await button.count()) === 0) continue;
        const value = Number(await button.getAttribute('data-value'));
        fronts.push({ page, button, rank: side === 'white' ? value : 150 - value });
      }
    }
    const [next] = fronts.sort((a, b) => a.rank - b.rank);
    await tabToOne(next!.page, next!.button);
    await next!.page.keyboard.press('Enter');
    await expect(next!.button).toHaveCount(0);
  }
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');
});

test('Soulmates, from the home page to the last attempt', async ({ stranger }) => {
  const pages = [await stranger(), await stranger()];
  const [ada, ben] = pages as [Page, Page];
  await join(ben, await openTable(ada, 'soulmates', 'Ada', 'Lives'), 'Ben');
  await press(ada, 'start');
  await expect(ada.getByTestId('look').or(ada.getByTestId('waiting'))).toBeVisible();
  const seer = (await ada.getByTestId('look').isVisible()) ? ada : ben;
  await press(seer, 'look');
  // The focus is at the first card that can be written.
  await expect(seer.locator('[data-testid^=hint-]').first()).toBeFocused();
  await seer.keyboard.press('Enter');
  await press(seer, 'write');
  for (const attempt of [1, 2]) {
    await layHands(pages);
    // The highest card first: a wrong order.
    for (let cards = await byCard(pages); cards.length > 0; cards = await byCard(pages)) {
      const { page, value } = cards.at(-1)!;
      await page.keyboard.press(' ');
      await expect(page.locator(`[data-testid=play-card][data-value="${value}"]`)).toHaveCount(0);
    }
    if (attempt === 1) await press(seer, 'write');
  }
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
  await press(ada, 'rematch');
  for (const page of pages) await expect(page.getByTestId('ending')).toBeHidden();
});

test('Royale, from the home page to the end of two rounds', async ({ stranger }) => {
  const pages = [await stranger(), await stranger()];
  const [ada, ben] = pages as [Page, Page];
  await join(ben, await openTable(ada, 'royale', 'Ada', 'Rounds'), 'Ben');
  await press(ada, 'start');
  for (const [maker, breaker] of [
    [ada, ben],
    [ben, ada],
  ] as const) {
    await expect(maker.locator('[data-home=cell]')).toBeFocused();
    // In the second round the cards of the first code are covered.
    const shapes = maker === ada ? '123' : '234';
    for (const [place, colour] of [...'abc'].entries()) {
      for (const key of [colour, shapes.charAt(place), 'Enter']) await maker.keyboard.press(key);
    }
    await press(maker, 'hide');
    await expect(breaker.locator('[data-home=place]').first()).toBeFocused();
    for (const key of [...'abc', 'Enter']) await breaker.keyboard.press(key);
    await expect(breaker.getByTestId('row-colours')).toHaveCount(1);
    await tabTo(breaker, 'builder-shapes');
    for (const key of [...shapes, 'Enter']) await breaker.keyboard.press(key);
    if (maker === ben) continue;
    for (const page of pages) await press(page, 'next-round');
  }
  for (const page of pages) await expect(page.getByTestId('ending')).toBeVisible();
});
