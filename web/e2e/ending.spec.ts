import { readFileSync } from 'node:fs';
import { expectAccessible } from './axe';
import { begin, byCard, expect, focus, mind, playLevel, test, type Page } from './people';
import { picture } from './picture';

/** The file that a button of the report gives. */
async function saved(page: Page, kind: 'svg' | 'png'): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId(`end-${kind}`).click()]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`-1\\.${kind}$`));
  return readFileSync(await download.path(), kind === 'svg' ? 'utf8' : 'latin1');
}

test('a victory is told, drawn, taken along and handed on as a challenge', async ({ person }) => {
  test.setTimeout(300_000);
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const code = await begin(pages, mind({ levels: 3 }));
  const screen = await person('Television', { viewport: { width: 1920, height: 1080 } });
  await screen.goto(`/table/${code}/screen`);
  for (let level = 1; level <= 3; level += 1) await playLevel(pages);
  for (const page of pages) {
    await expect(page.getByTestId('ending')).toContainText('All 3 levels, without a word. 5 lives to spare.');
    await expect(page.getByTestId('end-curve')).toHaveAccessibleName(/^Level 3: 6 cards in /);
    await expect(page.getByTestId('end-stretch')).toHaveText('Best stretch: 12 cards in a row without a mistake, from level 1 to level 3.');
  }
  await expect(ada.getByTestId('end-curve').locator('ellipse')).toHaveCount(6);
  await expectAccessible(ada, 'the end of a game');
  await picture(ada, 'end-won');

  // The room sees it too, and takes nothing along.
  await expect(screen.getByTestId('end-curve').locator('ellipse')).toHaveCount(6);
  await expect(screen.getByTestId('end-png')).toHaveCount(0);
  await picture(screen, 'end-screen');

  expect(await saved(ada, 'svg')).toContain('>Ben</text>');
  expect((await saved(ada, 'png')).slice(0, 4)).toBe('\u{89}PNG');
  await ada.getByTestId('end-names').uncheck();
  await expect(ada.getByTestId('end-curve')).not.toContainText('Ben');
  const bare = await saved(ada, 'svg');
  expect(bare).toContain('You won, together!');
  expect(bare).not.toContain('Ben');

  await ben.getByTestId('deal').click();
  await ben.getByTestId('play-deal').click();
  const link = ben.getByTestId('challenge');
  await expect(link.getByTestId('table-code')).toHaveText(/^[a-z0-9]{6}$/);
  await expectAccessible(ben, 'a challenge');
  await picture(ben, 'end-challenge');
  const [cleo, challenge] = [await person('Cleo'), await link.getByTestId('table-code').innerText()];
  await cleo.goto(`/table/${challenge}`);
  await expect(cleo.getByTestId('same-deal')).toBeVisible();

  await ben.keyboard.press('Escape');
  await ada.getByTestId('rematch').click();
  for (const page of pages) await expect(page.getByTestId('pad')).toBeVisible();
});

test('a defeat says how near the team was', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  await begin(pages, mind({ levels: 3, lives: 1 }));
  await playLevel(pages);
  await playLevel(pages);
  await focus(pages);
  // Of six cards the lowest of one hand is played before lower ones of the other.
  const highest = (await byCard(pages)).at(-1)!;
  await highest.page.getByTestId('play-card').click();
  for (const page of pages) {
    await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
    await expect(page.getByTestId('ending')).toContainText(/(\d cards|One card) from the end of level 3\./);
    await expect(page.getByTestId('end-curve')).toHaveAccessibleName(/^Level 2: 4 cards/);
  }
  await expectAccessible(pages[0]!, 'a defeat');
  await picture(pages[0]!, 'end-lost');
});
