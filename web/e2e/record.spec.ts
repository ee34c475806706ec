import { readFileSync } from 'node:fs';
import { expectAccessible } from './axe';
import { tabTo } from './keyboard';
import { begin, byCard, expect, focus, mind, playLevel, test, type Page } from './people';
import { picture } from './picture';

/** The games that a page shows, as soon as there are that many: a game is on record a moment after its end. */
async function shown(page: Page, path: string, games: number): Promise<void> {
  await expect(async () => {
    await page.goto(path);
    await expect(page.getByTestId('game')).toHaveCount(games, { timeout: 1_000 });
  }).toPass();
}

/** Plays the game to its victory and leaves it at that. */
async function win(pages: Page[], levels: number): Promise<void> {
  for (let level = 1; level <= levels; level += 1) await playLevel(pages);
  for (const page of pages) await expect(page.getByTestId('replay')).toBeVisible();
}

/** Loses at once: the higher card comes first, and there is one life. */
async function lose(pages: Page[]): Promise<string> {
  const code = await begin(pages, mind({ levels: 1, lives: 1 }));
  await focus(pages);
  await (await byCard(pages)).at(-1)!.page.getByTestId('play-card').click();
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'lost');
  return code;
}

test('what people played is on their record and on their team’s', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const eve = await person('Eve');
  await shown(ada, '/me', 0);
  await expect(ada.getByTestId('no-games')).toContainText('Your first game is still ahead');
  const code = await begin([ada, ben], mind({ levels: 2 }));
  await win([ada, ben], 2);
  await lose([ada, ben]);

  await shown(ada, '/me', 2);
  await expect(ada.getByRole('heading', { level: 1 })).toHaveText('Ada');
  await expect(ada.getByTestId('totals')).toContainText('2 games · 1 won · up to level 2');
  // A line needs three games.
  await expect(ada.getByTestId('sync')).toHaveCount(0);
  const games = ada.getByTestId('game');
  await expect(games.first()).toContainText('Lost');
  await expect(games.last()).toContainText('with Ben');
  // Ben has his mark in the list of games and in the list of teams.
  await expect(games.last().getByTestId('people-marks').locator('svg')).toHaveCount(1);
  await expect(ada.getByTestId('teams').getByTestId('people-marks').locator('svg')).toHaveCount(1);
  await expect(games.last()).toContainText('Level 2 of 2 · left: ');
  await expectAccessible(ada, 'a person’s record');
  await picture(ada, 'record-me');

  // Found by partner, game and result, and never by oneself.
  const check = async (fill: () => Promise<unknown>, count: number) => {
    await fill();
    await expect(games).toHaveCount(count);
  };
  const partner = ada.getByTestId('partner');
  await check(() => partner.fill('zoe'), 0);
  await expect(ada.getByTestId('status')).toHaveText('No games match.');
  await check(() => partner.fill('bE'), 2);
  await check(() => partner.fill('ada'), 0);
  await check(() => partner.fill(''), 2);
  await check(() => ada.getByTestId('result').selectOption('won'), 1);
  await check(() => ada.getByTestId('which').selectOption('royale'), 0);
  await check(() => ada.getByTestId('which').selectOption('mind'), 1);

  await games.first().getByTestId('watch').click();
  await expect(ada.getByTestId('replay-page')).toBeVisible();
  expect(new URL(ada.url()).pathname).toBe(`/replay/${code}-1`);
  await ada.goto('/me');
  await expect(ada.getByTestId('teams')).toContainText('Ben');
  await ada.goto('/');
  await expect(ada.getByTestId('teams')).toContainText('2 games');
  await picture(ada, 'home-teams');
  await ada.getByTestId('teams').getByRole('link').first().click();
  await expect(ada.getByRole('heading', { level: 1 })).toHaveText('You and Ben');
  await expect(games).toHaveCount(2);
  await expect(ada.getByTestId('delete')).toBeHidden();
  await games.first().getByTestId('more').click();
  await expect(games.first()).toContainText('Set-up: 1 level, 1 life, 1 star');
  await expectAccessible(ada, 'a team’s record');
  await picture(ada, 'record-team');

  // Only its players see it, and strangers cannot tell whether it exists.
  const team = new URL(ada.url()).pathname;
  await shown(ben, team, 2);
  await expect(ben.getByRole('heading', { level: 1 })).toHaveText('You and Ada');
  await eve.goto(team);
  await expect(eve.getByRole('heading', { level: 1 })).toHaveText(/You haven’t played in this team/);
});

test('the bots that sat there are counted and looked for', async ({ person }) => {
  const ada = await person('Ada');
  await ada.goto('/');
  await ada.getByTestId('play-now').click();
  await expect(ada.getByTestId('pad')).toBeVisible();
  await ada.getByTestId('menu').click();
  await ada.getByTestId('propose-end').click();
  await expect(ada.getByTestId('replay')).toBeVisible();
  await ada.goto('/');
  await ada.getByTestId('my-record').click();
  await shown(ada, '/me', 1);
  await expect(ada.getByTestId('game')).toContainText('Ended early');
  await expect(ada.getByTestId('teams')).toContainText('You and bots');
  await expect(ada.getByTestId('bots')).toContainText('1 game');
  await ada.getByTestId('bot').selectOption({ index: 1 });
  await expect(ada.getByTestId('status')).toHaveText('Shown: 1 game');
  await ada.getByTestId('result').selectOption('won');
  await expect(ada.getByTestId('status')).toHaveText('No games match.');
});

test('a person lends, saves and deletes their data by keyboard alone', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Benjamin');
  const code = await lose([ada, ben]);
  await shown(ben, '/me', 1);

  const lend = ben.getByRole('switch', { name: 'Let others play with a bot in my tempo' });
  await expect(lend).not.toBeChecked();
  await tabTo(ben, 'lend');
  const [kept] = await Promise.all([ben.waitForResponse('**/api/me/consent'), ben.keyboard.press(' ')]);
  expect(kept.ok()).toBe(true);
  await ben.reload();
  await expect(lend).toBeChecked();

  await tabTo(ben, 'export');
  const [download] = await Promise.all([ben.waitForEvent('download'), ben.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toBe('unspoken.jsonl');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(lines[0]).toMatchObject({ person: { name: 'Benjamin', consent: { lends_tempo: true } } });
  expect(lines[1]).toEqual({ unspoken: 1, table: code });
  expect(lines.at(-1)).toEqual({ ended: { outcome: 'lost' } });

  await tabTo(ben, 'delete');
  await ben.keyboard.press('Enter');
  await expect(ben.getByRole('dialog')).toBeVisible();
  await expectAccessible(ben, 'asked before anything is deleted');
  await picture(ben, 'record-delete');
  await ben.keyboard.press('Escape');
  await expect(ben.getByRole('dialog')).toBeHidden();
  await tabTo(ben, 'delete');
  await ben.keyboard.press('Enter');
  await tabTo(ben, 'delete-now');
  await ben.keyboard.press('Enter');
  await expect(ben).toHaveURL('/');
  await expect(ben.getByTestId('my-record')).toBeHidden();
  await ben.goto('/me');
  await expect(ben.getByRole('heading', { level: 1 })).toHaveText(/a name here yet/);

  // The game stays on Ada's record, with a deleted person in it.
  for (const [locale, title, someone] of [
    ['en', 'Your record', 'with someone'],
    ['fr', 'Votre parcours', 'avec quelqu’un'],
    ['de', 'Deine Partien', 'mit jemand'],
    ['es', 'Tu historial', 'con alguien'],
    ['it', 'Le tue partite', 'con qualcuno'],
  ] as const) {
    const page = await person('Cleo', { locale });
    await page.context().addCookies(await ada.context().cookies());
    await shown(page, '/me', 1);
    await expect(page).toHaveTitle(`${title} · Unspoken`);
    await expect(page.getByTestId('game')).toContainText(someone);
    await expectAccessible(page, `the record in ${locale}`);
    await page.setViewportSize({ width: 360, height: 740 });
    await page.screenshot({ path: `shots/record-${locale}-360.png`, fullPage: true });
  }
  await ada.goto(`/replay/${code}-1`);
  await expect(ada.getByTestId('replay-page')).toBeVisible();
  await expect(ada.getByText('Benjamin')).toHaveCount(0);
});
