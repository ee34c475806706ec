import { readFileSync } from 'node:fs';
import { expectAccessible } from './axe';
import { tabTo } from './keyboard';
import { begin, byCard, expect, focus, mind, open, playLevel, royale, sit, soulmates, test, type Page } from './people';
import { picture } from './picture';

/** Plays the game to its victory and leaves it at that. */
async function win(pages: Page[], levels: number): Promise<void> {
  for (let level = 1; level <= levels; level += 1) await playLevel(pages);
  for (const page of pages) await expect(page.getByTestId('replay')).toBeVisible();
}

const index = (page: Page) => page.getByTestId('replay-page').getAttribute('data-index').then(Number);

test('a game of The Mind is watched again, shared and taken away', async ({ person, stranger }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const eve = await person('Eve');
  const code = await begin([ada, ben], mind({ levels: 2 }));
  await ada.goto(`/replay/${code}-1`);
  await expect(ada.getByRole('heading', { level: 1 })).toHaveText(/still on/);
  await ada.goto(`/table/${code}`);
  await expect(ada.getByTestId('pad')).toBeVisible();
  await win([ada, ben], 2);

  await ada.getByTestId('replay').click();
  await expect(ada.getByTestId('replay-page')).toBeVisible();
  expect(new URL(ada.url()).pathname).toBe(`/replay/${code}-1`);
  // Nothing more is asked of the server, wherever one goes in the game.
  const asked: string[] = [];
  ada.on('request', (request) => asked.push(request.url()));
  await expect(ada.getByTestId('eyes')).toHaveValue('0');
  const count = Number(await ada.getByTestId('replay-page').getAttribute('data-count'));
  expect(count).toBeGreaterThan(8);

  // To the first play: two hands, then a card.
  for (const moves of [1, 2, 3]) {
    await ada.keyboard.press('ArrowRight');
    await expect(ada.getByTestId('replay-page')).toHaveAttribute('data-index', String(moves));
  }
  await expect(ada.getByTestId('pile')).toHaveAttribute('data-count', '1');
  await expect(ada.getByTestId('position')).toHaveText(`Move 3 of ${count - 1}`);
  await expect(ada.getByTestId('hands')).toBeHidden();
  await ada.getByTestId('eyes').selectOption({ label: 'All hands open' });
  await expect(ada.getByTestId('hands')).toBeVisible();
  const open = await ada.getByTestId('hands').locator('.cards .card').count();
  expect(open).toBe(1);
  await expectAccessible(ada, 'all hands open');
  await picture(ada, 'replay-open');

  await ada.getByTestId('eyes').selectOption({ label: 'Ben’s view' });
  await expect(ada.getByTestId('hands')).toBeHidden();
  await ada.keyboard.press('PageDown');
  await expect(ada.getByTestId('chapter')).toHaveText('Level 2');
  await expect(ada.getByTestId('story')).toBeVisible();
  await picture(ada, 'replay-level');
  await ada.keyboard.press('PageUp');
  await expect(ada.getByTestId('chapter')).toHaveText('Level 1');
  await ada.keyboard.press('End');
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'won');
  await ada.keyboard.press('Home');
  expect(await index(ada)).toBe(0);

  // By the slider: in time, and by moves.
  const scrub = ada.getByTestId('scrub');
  const most = Number(await scrub.getAttribute('max'));
  // Near the end: on a slow machine more than half of the time passes before the first hand.
  await scrub.fill(String(Math.floor((most * 0.95) / 1000) * 1000));
  await expect.poll(() => index(ada)).toBeGreaterThan(0);
  await ada.getByTestId('scale').selectOption('moves');
  await scrub.fill('5');
  expect(await index(ada)).toBe(5);

  // At true speed, and faster: it runs to the end by itself.
  await ada.getByTestId('speed').selectOption({ label: '8×' });
  await ada.keyboard.press('Home');
  await ada.getByTestId('play').click();
  await expect(ada.getByTestId('play')).toHaveAccessibleName('Pause');
  await expect.poll(() => index(ada), { timeout: 20_000 }).toBe(count - 1);
  await expect(ada.getByTestId('play')).toHaveAccessibleName('Play');
  expect(asked.filter((url) => !url.includes('/assets/'))).toEqual([]);

  // Who was not there sees nothing without a link.
  await eve.goto(`/replay/${code}-1`);
  await expect(eve.getByRole('heading', { level: 1 })).toHaveText(/only its players and spectators/);
  await ada.getByTestId('take').click();
  await ada.getByTestId('share').click();
  const link = await ada.getByTestId('link').innerText();
  const outsider = await stranger();
  await outsider.goto(link);
  await expect(outsider.getByTestId('eyes')).toHaveValue('spectator');
  // Only its players are led to the table: for others its first code may be no code any more.
  await expect(outsider.getByTestId('to-table')).toBeHidden();
  await expect(outsider.getByTestId('to-home')).toHaveAttribute('href', '/');
  await expect(ada.getByTestId('to-table')).toHaveAttribute('href', `/table/${code}`);
  await outsider.getByTestId('take').click();
  await expect(outsider.getByTestId('share')).toBeHidden();
  // The times go to the players, and to others if the table has agreed to it.
  await expect(outsider.getByTestId('no-plays')).toBeVisible();
  const [download] = await Promise.all([ada.waitForEvent('download'), ada.getByTestId('plays').click()]);
  expect(download.suggestedFilename()).toBe(`${code}-1.csv`);
  const plays = await ada.request.get(
    await ada
      .getByTestId('plays')
      .getAttribute('href')
      .then((href) => href!),
  );
  expect((await plays.text()).trim().split('\n')).toHaveLength(7);
});

test('a replay by keyboard alone, in five languages', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const code = await begin([ada, ben], mind({ levels: 1, lives: 1 }));
  await focus([ada, ben]);
  await (await byCard([ada, ben])).at(-1)!.page.getByTestId('play-card').click();
  await expect(ada.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
  await tabTo(ada, 'replay');
  await ada.keyboard.press('Enter');
  await expect(ada.getByTestId('replay-page')).toBeVisible();
  await tabTo(ada, 'move-on');
  await ada.keyboard.press(' ');
  expect(await index(ada)).toBe(1);
  await tabTo(ada, 'scrub');
  await ada.keyboard.press('ArrowRight');
  expect(await index(ada)).toBe(2);
  await ada.keyboard.press(' ');
  await expect(ada.getByTestId('play')).toHaveAccessibleName('Pause');
  await ada.keyboard.press(' ');
  await expect(ada.getByTestId('play')).toHaveAccessibleName('Play');
  for (const [locale, words] of [
    ['fr', 'Replay'],
    ['de', 'Wiederholung'],
    ['es', 'Repetición'],
    ['it', 'Replay'],
  ] as const) {
    const page = await person('Cleo', { locale });
    await page.context().addCookies(await ada.context().cookies());
    await page.goto(`/replay/${code}-1`);
    await expect(page.getByRole('heading', { level: 1 })).toContainText(words);
    await page.keyboard.press('End');
    await expect(page.getByTestId('ending')).toBeVisible();
    await expect(page.getByTestId('story')).toHaveAttribute('data-kind', 'erred');
    await expectAccessible(page, locale);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(page.getByTestId('story')).toBeVisible();
    await page.screenshot({ path: `shots/replay-${locale}-360.png` });
  }
});

test('the tempo is shown between levels, as a picture, a table and files', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const manners = { photo_finish: false, tempo_report: 'every-level', seeding: 'fixed', export: false } as const;
  const code = await begin([ada, ben], mind({ levels: 3, manners }));
  await expect(ada.getByTestId('tempo')).toBeHidden();
  await playLevel([ada, ben]);
  await playLevel([ada, ben]);
  await ada.getByTestId('tempo').click();
  await expect(ada.getByTestId('tempo-picture')).toBeVisible();
  await expect(ada.getByTestId('tempo-level')).toHaveValue('1');
  await expect(ada.getByTestId('closest')).toContainText(/Closest call: \d+ and \d+, .* apart\./);
  await expectAccessible(ada, 'tempo between levels');
  await ada.keyboard.press('Escape');
  // Gone as soon as the level begins, also while it is open.
  await ben.getByTestId('tempo').click();
  await expect(ben.getByTestId('tempo-picture')).toBeVisible();
  await ben.keyboard.press('Escape');
  await focus([ada, ben]);
  for (const page of [ada, ben]) await expect(page.getByTestId('tempo')).toBeHidden();
  expect((await ada.request.get(`/api/tables/${code}/tempo`)).status()).toBe(404);
  // The last card first: a mistake, and with it the end of the level.
  await (await byCard([ada, ben])).at(-1)!.page.getByTestId('play-card').click();
  for (const page of [ada, ben]) {
    await page.getByTestId('menu').click();
    await page.getByTestId('propose-end').click();
  }
  await ada.getByTestId('replay').click();
  await ada.getByTestId('tempo').click();
  await ada.getByTestId('tempo-level').selectOption({ label: 'Level 2' });
  await ada.locator('summary').click();
  await expect(ada.getByTestId('tempo-table').locator('tbody tr')).toHaveCount(4);
  await expectAccessible(ada, 'tempo in the replay');
  await picture(ada, 'tempo');
  for (const [kind, start] of [
    ['svg', '<svg'],
    ['png', '\u{89}PNG'],
  ] as const) {
    const [download] = await Promise.all([ada.waitForEvent('download'), ada.getByTestId(`save-${kind}`).click()]);
    expect(download.suggestedFilename()).toBe(`${code}-1-2-1.${kind}`);
    expect(readFileSync(await download.path(), 'latin1').slice(0, 4)).toBe(start);
  }
});

test('an attempt of Soulmates is felt as it was, and then revealed', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const pages = [ada, ben];
  const code = await open(ada, soulmates([{ cards: 4, look: 3, hints: 1 }], { lives: 1 }));
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  await ada.getByTestId('look').click();
  for (const attempt of [1, 2]) {
    await ada.getByTestId('write').click();
    await focus(pages);
    for (let laid = 1; laid <= 4; laid += 1) {
      await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
      if (laid < 4) for (const page of pages) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid));
    }
    if (attempt === 1) await expect(ben.getByTestId('failed')).toBeVisible();
  }
  await expect(ben.getByTestId('replay')).toBeVisible();
  await ben.getByTestId('replay').click();
  const count = Number(await ben.getByTestId('replay-page').getAttribute('data-count'));
  const step = async () => {
    const next = (await index(ben)) + 1;
    expect(next).toBeLessThan(count);
    await ben.keyboard.press('ArrowRight');
    // A second press before the page has drawn the first would leave a step out.
    await expect.poll(() => index(ben)).toBe(next);
  };
  while ((await ben.getByTestId('pile').count()) === 0 || (await ben.getByTestId('pile').getAttribute('data-count')) !== '2') await step();
  await expect(ben.getByTestId('revealed')).toBeHidden();
  await picture(ben, 'replay-soulmates');
  await ben.getByTestId('eyes').selectOption({ label: 'All hands open' });
  await expect(ben.getByTestId('seer-saw')).toContainText('What Ada saw as Seer');
  await picture(ben, 'replay-soulmates-open');
  await ben.getByTestId('eyes').selectOption({ label: 'Ben’s view' });
  // The moment comes first, and what it leaves to look at follows.
  while (!(await ben.locator('[data-kind=failed]').isVisible())) await step();
  await expect(ben.getByTestId('failed')).toBeVisible();
  await expect(ben.getByTestId('revealed').locator('.card')).toHaveCount(4);
  await ben.keyboard.press('PageDown');
  await expect(ben.getByTestId('chapter')).toHaveText('Level 1, attempt 2');
  await ben.keyboard.press('End');
  await expect(ben.getByTestId('revealed').locator('.card')).toHaveCount(4);
  await expectAccessible(ben, 'revealed');
  await picture(ben, 'replay-soulmates-revealed');
});

test('Royale is watched again with both boards and the code', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const code = await open(ada, royale());
  for (const page of [ada, ben]) await sit(page, code);
  await ada.getByTestId('start').click();
  for (const card of ['B3', 'D1', 'E5']) await ada.getByTestId(`card-${card}`).click();
  await ada.getByTestId('hide').click();
  for (const [zone, ...row] of [
    ['colours', 1, 1, 2],
    ['shapes', 1, 2, 3],
  ] as const) {
    for (const kind of row) await ben.getByTestId(`token-${zone}-${kind}`).click();
    await ben.getByTestId(`ask-${zone}`).click();
    await expect(ben.getByTestId(`row-${zone}`)).toHaveCount(1);
  }
  for (const page of [ada, ben]) {
    await page.getByTestId('menu').click();
    await page.getByTestId('propose-end').click();
  }
  await expect(ben.getByTestId('replay')).toBeVisible();
  await ben.goto(`/replay/${code}-1`);
  await expect(ben.getByTestId('royale')).toBeVisible();
  for (let moves = 0; moves < 3; moves += 1) await ben.keyboard.press('ArrowRight');
  for (const zone of ['colours', 'shapes']) await expect(ben.getByTestId(`row-${zone}`)).toHaveCount(1);
  await ben.getByTestId('eyes').selectOption({ label: 'All hands open' });
  await expectAccessible(ben, 'royale');
  await picture(ben, 'replay-royale');
});
