import type { Locator } from '@playwright/test';
import { tabTo, tabToOne } from './keyboard';
import { byCard, expect, front, test, type Page } from './people';

/* Nobody here has a pointer. */

async function press(page: Page, testId: string, key = 'Enter'): Promise<void> {
  await expect(page.getByTestId(testId)).toBeEnabled();
  await tabTo(page, testId);
  await page.keyboard.press(key);
}

/** Opens a table of a game with one level, and has a name by the end of it. */
async function openTable(page: Page, game: 'mind' | 'extreme', name: string): Promise<string> {
  await page.goto('/');
  const choice = page.getByTestId(`game-${game}`);
  await tabToOne(page, page.getByTestId('game-mind'));
  for (let moves = 0; moves < 4 && !(await choice.isChecked()); moves += 1) await page.keyboard.press('ArrowDown');
  await press(page, 'new-table');
  await expect(page.getByRole('dialog')).toBeVisible();
  await tabToOne(page, page.getByTestId('more').locator('summary'));
  await page.keyboard.press('Enter');
  const fewer = page.getByRole('button', { name: 'Fewer: Levels' });
  await tabToOne(page, fewer);
  while (await fewer.isEnabled()) await page.keyboard.press('Enter');
  await press(page, 'agree-setup');
  await expect(page.getByTestId('name')).toBeFocused();
  await page.keyboard.type(name);
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

/** Enter lays the hand down, for those who cannot hold a key. */
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
  await lowest!.page.locator('body').press(' ');
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

  /** Whoever holds the card that comes first on its pile plays it; white before red. */
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
