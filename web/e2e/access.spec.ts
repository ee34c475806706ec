import { expectAccessible as check } from './axe';
import { begin, byCard, expect, extreme, focus, mind, open, playLevel, sit, test, type Page } from './people';
import { GAME_NAMES } from './shots';

test('the pages', async ({ stranger }) => {
  const page = await stranger();
  await page.goto('/');
  await check(page, 'home');
  await page.getByTestId('settings').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await check(page, 'settings');
  await page.keyboard.press('Escape');
  await page.getByTestId('new-table').click();
  await page.getByTestId('more').locator('summary').click();
  await check(page, 'new table');
  await page.getByTestId('agree-setup').click();
  await check(page, 'name');
  for (const path of ['/learn', '/accessibility', ...GAME_NAMES.map((game) => `/rules/${game}`), '/rules/chess']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (path.startsWith('/rules') && path !== '/rules/chess') {
      await expect(page.getByTestId('guide')).toBeVisible();
      await page.getByTestId('all-rules').locator('summary').click();
      await expect(page.locator('article')).toBeVisible();
    }
    await check(page, path);
  }
});

test('the moments of The Mind', async ({ person, stranger }) => {
  const ada = await person('Ada', { viewport: { width: 360, height: 740 } });
  const ben = await person('Ben');
  const tv = await stranger();
  const pages = [ada, ben];
  const code = await open(ada, mind({ levels: 2 }));
  await tv.goto(`/table/${code}/screen`);
  await sit(ada, code);
  await check(ada, 'lobby with a free seat');
  await expect(tv.getByTestId('screen')).toContainText('Ada');
  await check(tv, 'screen before the game');
  await sit(ben, code);
  await check(ben, 'lobby of a guest');
  await ada.getByTestId('start').click();
  await expect(ada.getByTestId('pad')).toBeVisible();
  await check(ada, 'focus');
  await focus(pages);
  await check(ada, 'playing');
  await ada.getByTestId('menu').click();
  await check(ada, 'menu');
  await ada.keyboard.press('Escape');
  await ada.getByTestId('raise').click();
  await expect(ben.getByTestId('player-A')).toContainText('proposes a star');
  await check(ben, 'a raised hand');
  await (await byCard(pages))[1]!.page.getByTestId('play-card').click();
  await expect(ada.getByTestId('story')).toBeVisible();
  await check(ada, 'level complete');
  await check(tv, 'screen in the focus');
  await focus(pages);
  await (await byCard(pages))[1]!.page.getByTestId('play-card').click();
  await expect(ada.getByTestId('story')).toHaveAttribute('data-kind', 'erred');
  await check(ada, 'a mistake');
  await focus(pages);
  await check(tv, 'screen in play');
  const held = async () =>
    (await Promise.all(pages.map((page) => page.getByTestId('hand').locator('li').count()))).reduce((sum, count) => sum + count);
  for (let left = await held(); left > 0; left -= 1) {
    await (await byCard(pages))[0]!.page.getByTestId('play-card').click();
    if (left > 1) await expect.poll(held).toBe(left - 1);
  }
  await expect(ada.getByTestId('continue')).toBeVisible();
  await check(ada, 'victory and the offer');
  await expect(ada.getByTestId('rematch')).toBeVisible();
  await check(ada, 'the end');
  await check(ben, 'the end for a guest');
});

test('the moments of Extreme', async ({ person }) => {
  const pages = [await person('Ada', { viewport: { width: 360, height: 740 } }), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const blind = { faces: { white: 'blind', red: 'blind' }, reward: 'life' } as const;
  await begin(pages, extreme({ table: [blind] }));
  await check(ada, 'focus');
  await focus(pages);
  await check(ada, 'playing');
  await ada.getByTestId('raise').click();
  await ben.getByTestId('raise').click();
  await expect(ada.getByTestId('choice')).toBeVisible();
  await check(ada, 'choosing');
  await ada.getByTestId('choice').getByRole('button').first().click();
  await expect(ada.getByTestId('choice')).toContainText('Chosen');
  await check(ada, 'chosen');
  await ben.getByTestId('choice').getByRole('button').first().click();
  await expect(ada.getByTestId('ending')).toBeVisible();
  await check(ada, 'the end');
});

test('a blind level', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await begin(pages, mind({ levels: 1 }));
  await playLevel(pages);
  await ada.getByTestId('continue').click();
  await ben.getByTestId('continue').click();
  await focus(pages);
  await (await byCard(pages))[0]!.page.getByTestId('play-card').click();
  await expect(ben.getByTestId('pile')).toHaveAttribute('data-count', '1');
  await check(ada, 'blind play');
  await check(ben, 'blind play');
});
