import { expectAccessible } from './axe';
import {
  begin,
  byCard,
  expect,
  extreme,
  focus,
  mind,
  open,
  playColours,
  playLevel,
  royale,
  showHandOnly,
  sit,
  test,
  type Page,
} from './people';
import { noteScenes } from './scenes';

const TELEVISION = { viewport: { width: 1920, height: 1080 } };

/** Marks what is drawn now: a game that is drawn anew loses the mark, and with it the story that it tells. */
async function mark(tv: Page): Promise<void> {
  await tv
    .getByTestId('screen')
    .locator('main > *')
    .first()
    .evaluate((drawn) => drawn.setAttribute('data-marked', ''));
}

async function expectMark(tv: Page): Promise<void> {
  await expect(tv.locator('[data-marked]')).toHaveCount(1);
}

test('the screen tells a stop, a mistake and a star, and keeps each until play goes on', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const tv = await stranger(TELEVISION);
  const code = await begin(pages, mind({ levels: 3 }));
  await tv.goto(`/table/${code}/screen`);
  await expect(tv.getByTestId('focus')).toContainText('The level starts when every hand is down');
  await mark(tv);
  await focus(pages);
  await expect(tv.getByTestId('pile')).toBeVisible();

  await ben.keyboard.press('Escape');
  const story = tv.getByTestId('story');
  await expect(story).toContainText('Ben stopped');
  await expect(tv.getByTestId('focus')).toContainText('The level goes on when every hand is down');
  // What happens meanwhile does not take the story away.
  await ada.keyboard.down(' ');
  await expect(tv.getByTestId('player-A')).toContainText('hand on the table');
  await expect(story).toContainText('Ben stopped');
  await ada.keyboard.up(' ');
  await focus(pages);
  await expect(story).toHaveCount(0);

  const [lowest, highest] = await byCard(pages);
  await highest!.page.getByTestId('play-card').click();
  await expect(story).toHaveAttribute('data-kind', 'completed');
  await expect(story).toContainText(`Should have come before ${highest!.value}:`);
  await expect(tv.getByTestId('spoken')).toContainText(`${lowest!.value} from`);

  await focus(pages);
  await ada.getByTestId('raise').click();
  await expect(tv.getByTestId('player-A')).toContainText('proposes a star');
  await ben.getByTestId('raise').click();
  await expect(story).toHaveAttribute('data-kind', 'starred');
  await expectMark(tv);
  await expectAccessible(tv, 'a star on the screen');
});

test('the screen follows Royale from row to row and uncovers the code', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const tv = await stranger(TELEVISION);
  const code = await open(ada, royale());
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  await tv.goto(`/table/${code}/screen`);
  await expect(tv.getByTestId('royale')).toHaveAttribute('data-phase', 'choosing');
  await mark(tv);
  for (const card of ['B3', 'D1', 'E5']) await ada.getByTestId(`card-${card}`).click();
  await ada.getByTestId('hide').click();
  for (const [zone, row] of [
    ['colours', [2, 4, 5]],
    ['shapes', [3, 1, 5]],
  ] as const) {
    for (const kind of row) await ben.getByTestId(`token-${zone}-${kind}`).click();
    await ben.getByTestId(`ask-${zone}`).click();
    if (zone === 'colours') await expect(tv.getByTestId('row-colours')).toHaveCount(1);
  }
  await expect(tv.getByTestId('royale')).toHaveAttribute('data-round', '2');
  await expect(tv.getByTestId('spoken')).toContainText('yellow triangle');
  await expectMark(tv);
});

test('the screen shows Extreme’s two piles, turns the blind ones over and tells the victory', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const tv = await stranger(TELEVISION);
  const blind = { faces: { white: 'blind', red: 'blind' }, reward: 'nothing' } as const;
  const code = await begin(pages, extreme({ table: [{ faces: { white: 'open', red: 'open' }, reward: 'life' }, blind] }));
  await tv.goto(`/table/${code}/screen`);
  await focus(pages);
  await expect(tv.getByTestId('pile')).toHaveCount(2);
  await mark(tv);
  const { said } = await noteScenes(tv);
  await playColours(pages, 2);
  await expect.poll(() => said('completed')).toContain('Level 1 complete');
  expect(await said('completed')).toContain('life');
  await focus(pages);
  await playColours(pages, 4);
  await expect.poll(() => said('turned')).toContain('The pile is turned over');
  expect(await said('turned')).toContain('no mistake');
  await expect.poll(() => said('completed')).toContain('Level 2 complete');
  await expect(tv.locator('[data-scene]')).toHaveCount(0);
  await expect(tv.getByTestId('ending')).toHaveAttribute('data-how', 'won');
  await expectMark(tv);
  await expectAccessible(tv, 'victory on the screen');
});

test('the screen keeps a blind pile face down until it is turned over', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const tv = await stranger(TELEVISION);
  const code = await begin(pages, mind({ levels: 1 }));
  await tv.goto(`/table/${code}/screen`);
  await playLevel(pages);
  await expect(tv.getByTestId('ending')).toHaveAttribute('data-how', 'won');
  for (const page of pages) await page.getByTestId('continue').click();
  await focus(pages);
  const [lowest, highest] = await byCard(pages);
  await highest!.page.getByTestId('play-card').click();
  await expect(tv.getByTestId('pile')).toHaveAttribute('data-count', '1');
  await expect(tv.getByTestId('pile')).not.toContainText(String(highest!.value));
  await lowest!.page.getByTestId('play-card').click();
  await expect(tv.locator('[data-scene=turned]')).toContainText(String(highest!.value));
  for (const page of [ada, ben, tv]) await expect(page.getByTestId('spoken')).toContainText(`${highest!.value}, ${lowest!.value}`);
});

test('the screen says who is missing', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [, ben] = pages as [Page, Page];
  const tv = await stranger(TELEVISION);
  const code = await begin(pages, mind());
  await tv.goto(`/table/${code}/screen`);
  await ben.goto('/');
  await expect(tv.getByTestId('missing')).toContainText('Ben');
  await ben.goto(`/table/${code}`);
  await expect(tv.getByTestId('missing')).toHaveCount(0);
});

test('a screen can hide its code, fill the television and stay awake', async ({ person, stranger }) => {
  const ada = await person('Ada');
  const tv = await stranger(TELEVISION);
  await tv.addInitScript(() => {
    const lock = navigator.wakeLock;
    if (!lock) return;
    const request = lock.request.bind(lock);
    lock.request = (kind) => {
      document.documentElement.dataset['awake'] = 'asked';
      return request(kind);
    };
  });
  const code = await open(ada, mind());
  await tv.goto(`/table/${code}/screen`);
  await expect(tv.getByTestId('screen-code')).toHaveText(code);
  await expect(tv.locator('html')).toHaveAttribute('data-awake', 'asked');
  await expectAccessible(tv, 'the lobby on the screen');

  await tv.getByTestId('hide-code').click();
  await expect(tv.getByTestId('screen-code')).toHaveCount(0);
  await expect(tv.getByRole('img', { name: 'QR code' })).toHaveCount(0);
  await tv.reload();
  await expect(tv.getByTestId('screen')).toContainText('The code is hidden');
  await expect(tv.getByTestId('screen')).not.toContainText(code);
  expect(await tv.title()).not.toContain(code);
  await tv.getByTestId('hide-code').click();
  await expect(tv.getByTestId('screen-code')).toHaveText(code);

  await tv.getByTestId('full-screen').click();
  await expect.poll(() => tv.evaluate(() => document.fullscreenElement !== null)).toBe(true);
  await tv.getByRole('button', { name: 'Leave full screen' }).click();
  await expect.poll(() => tv.evaluate(() => document.fullscreenElement !== null)).toBe(false);

  await expect(tv.getByRole('button', { name: 'Turn the sound off' })).toBeVisible();
  await tv.getByTestId('screen-sound').click();
  await expect(tv.getByRole('button', { name: 'Turn the sound on' })).toBeVisible();
});

test('a phone with the hand alone shows the hand, two buttons and its player’s own news', async ({ person }) => {
  const pages = [await person('Ada', { viewport: { width: 360, height: 740 } }), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await begin(pages, mind({ levels: 3 }));
  await showHandOnly(ada);
  await focus(pages);
  await expect(ada.getByTestId('play-card')).toBeEnabled();
  await expect(ada.getByTestId('stop')).toBeVisible();
  await expect(ada.getByTestId('raise')).toBeVisible();
  for (const other of ['pile', 'lives', 'stars', 'player-B', 'chat', 'story']) await expect(ada.getByTestId(other)).toHaveCount(0);
  await expect(ada.getByRole('button')).toHaveCount(4);

  await ada.keyboard.press('Escape');
  const news = ada.getByTestId('hand-news');
  await expect(news).toContainText('You stopped');
  await expect(ben.getByTestId('story')).toContainText('Ada stopped');
  await focus(pages);
  await expect(news).toHaveCount(0);

  const [lowest, highest] = await byCard(pages);
  await highest!.page.getByTestId('play-card').click();
  await expect(news).toContainText('One life lost');
  if (highest!.page === ada) await expect(news).toContainText(`Your ${highest!.value} came too early`);
  else await expect(news.getByRole('list')).toContainText(String(lowest!.value));
  await expectAccessible(ada, 'own news beside the hand');
});
