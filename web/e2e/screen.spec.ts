import { expectAccessible } from './axe';
import {
  begin,
  byCard,
  expect,
  extreme,
  focus,
  layAnyhow,
  mind,
  open,
  playColours,
  playLevel,
  royale,
  showHandOnly,
  sit,
  soulmates,
  test,
  type Page,
} from './people';
import { picture } from './picture';
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

test.describe('a phone with the hand alone', () => {
  const PHONE = { viewport: { width: 360, height: 740 } };

  test('tells what a blind pile of Extreme cost, and what the game was lost by', async ({ person }) => {
    const pages = [await person('Ada', PHONE), await person('Ben')];
    const [ada, ben] = pages as [Page, Page];
    const blind = { faces: { white: 'blind', red: 'blind' }, reward: 'star' } as const;
    await begin(pages, extreme({ table: Array.from({ length: 6 }, () => blind), lives: 3 }));
    await showHandOnly(ada);
    const news = ada.getByTestId('hand-news');
    const check = news.getByTestId('hand-check');
    const danger = await ada.evaluate(dangerColour);
    let mistaken = 0;
    for (let level = 1; level <= 6; level += 1) {
      await focus(pages);
      // Ben's cards first: Ada's come too late.
      await layAnyhow([ben, ada], 2 * level, [ben]);
      await expect(check).toBeVisible();
      if ((await ada.getByTestId('ending').count()) > 0) break;
      await expect(news).toContainText(`Level ${level} complete`);
      await expect(news.getByTestId('hand-reward')).toContainText('You earn a star');
      if (/no mistakes/.test(await check.innerText())) continue;
      mistaken += 1;
      await expect(check).toHaveText(/\d mistakes?, \d (life|lives) lost/);
      await expect(check).toHaveCSS('color', danger);
      await expect(news.getByTestId('hand-lives')).toHaveText(/\d (life|lives) left/);
      await expectAccessible(ada, 'a blind pile with mistakes, hand alone');
      if (mistaken === 1) await picture(ada, 'hand-checked');
    }
    expect(mistaken, 'piles with mistakes that did not end the game').toBeGreaterThan(0);
    await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
    await expect(check).toHaveText(/\d mistakes?, \d (life|lives) lost/);
    await expect(check).toHaveCSS('color', danger);
    await expect(news.getByRole('listitem').first(), 'her own cards that came too late').toBeVisible();
    await expectAccessible(ada, 'lost by a blind pile, hand alone');
    await picture(ada, 'hand-lost');
  });

  test('tells Soulmates from the look to a defeat', async ({ person }) => {
    const pages = [await person('Ada', PHONE), await person('Ben', PHONE)];
    const [ada, ben] = pages as [Page, Page];
    const row = { cards: 4, look: 2, hints: 1 };
    const code = await open(ada, soulmates([row, row], { lives: 1 }));
    for (const page of pages) await sit(page, code);
    await ada.getByTestId('start').click();
    for (const page of pages) await showHandOnly(page);
    const lay = async (at: 0 | -1) => {
      await focus(pages);
      for (let left = 4; left > 0; left -= 1) {
        const holders = await byCard(pages);
        const { page } = holders.at(at)!;
        const held = await page.getByTestId('hand').locator('li').count();
        await page.getByTestId('play-card').click();
        if (left > 1) await expect(page.getByTestId('hand').locator('li')).toHaveCount(held - 1);
      }
    };
    await ada.getByTestId('look').click();
    await ada.getByTestId('write').click();
    await lay(0);
    for (const page of pages) {
      await expect(page.getByTestId('hand-news')).toContainText('Level 1 complete');
      await expect(page.getByTestId('hand-check')).toHaveText('All in order, no mistakes.');
    }
    await ben.getByTestId('look').click();
    for (const page of pages) await expect(page.getByTestId('hand-news')).toHaveCount(0);
    await ben.getByTestId('write').click();
    await lay(-1);
    for (const page of pages) await expect(page.getByTestId('failed')).toContainText('No lives left');
    await ben.getByTestId('write').click();
    await lay(-1);
    for (const page of pages) {
      await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
      await expect(page.getByTestId('failed')).toHaveText('Wrong order');
      await expectAccessible(page, 'lost by a wrong order, hand alone');
    }
  });

  test('tells a round of Royale and the end of the game', async ({ person }) => {
    const pages = [await person('Ada', PHONE), await person('Ben', PHONE)];
    const [ada, ben] = pages as [Page, Page];
    const code = await open(ada, royale());
    for (const page of pages) await sit(page, code);
    await ada.getByTestId('start').click();
    for (const page of pages) await showHandOnly(page);
    for (const [maker, breaker] of [
      [ada, ben],
      [ben, ada],
    ] as const) {
      for (const card of ['B3', 'D1', 'E5'].map((card) => (maker === ada ? card : card.replace(/[1-5]/, '2')))) {
        await maker.getByTestId(`card-${card}`).click();
      }
      await maker.getByTestId('hide').click();
      const notes = await Promise.all(pages.map(noteScenes));
      for (const [zone, kinds] of [
        ['colours', [2, 4, 5]],
        ['shapes', maker === ada ? [3, 1, 5] : [2, 2, 2]],
      ] as const) {
        const tab = breaker.getByTestId(`zone-${zone}`);
        if (await tab.isVisible()) await tab.click();
        for (const kind of kinds) await breaker.getByTestId(`token-${zone}-${kind}`).click();
        await breaker.getByTestId(`ask-${zone}`).click();
        for (const { said } of notes) await expect.poll(() => said('solved')).toContain(zone);
      }
      for (const { said } of notes) await expect.poll(() => said('scored')).toContain('2 points');
      if (maker === ada) {
        for (const page of pages) {
          await expect(page.getByTestId('round-over')).toContainText('Ada: +2');
          await page.getByTestId('next-round').click();
        }
      }
    }
    for (const page of pages) {
      await expect(page.getByTestId('ending')).toBeVisible();
      await expect(page.getByTestId('moment')).toHaveCount(0);
      await expectAccessible(page, 'the end of Royale, hand alone');
    }
  });
});

/** The colour of what went wrong, as the browser computes it. */
function dangerColour(): string {
  const probe = document.body.appendChild(document.createElement('span'));
  probe.className = 'hidden-text';
  probe.style.color = 'var(--danger)';
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
