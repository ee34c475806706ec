import { expectAccessible } from './axe';
import { begin, expect, focus, mind, open, playLevel, test } from './people';
import { picture } from './picture';

test('a bot plays with the recorded tempo of a person who lends it', async ({ person }) => {
  test.setTimeout(300_000);
  const ada = await person('Ada');
  const ben = await person('Ben');
  await begin([ada, ben], mind({ levels: 7 }));
  for (let level = 1; level <= 7; level += 1) await playLevel([ada, ben]);
  await expect(ben.getByTestId('replay')).toBeVisible();
  const origin = new URL(ada.url()).origin;
  const lend = (lends_tempo: boolean) => ada.request.put('/api/me/consent', { data: { lends_tempo }, headers: { origin } });

  // A tempo is lent only with consent.
  const code = await open(ben, mind({ levels: 2 }));
  await ben.goto(`/table/${code}`);
  await ben.getByTestId('add-bot').click();
  await expect(ben.getByTestId('bot-kind').locator('optgroup')).toHaveCount(0);

  await lend(true);
  await ben.reload();
  await ben.getByTestId('bot-kind').selectOption({ label: 'Ada’s tempo' });
  await expect(ben.getByTestId('seat-B')).toContainText('A bot that waits the way Ada did');
  await expectAccessible(ben, 'a ghost in the lobby');
  await picture(ben, 'ghost-lobby');

  await ben.getByTestId('start').click();
  await focus([ben]);
  // It plays when it would have played, right or wrong.
  const moved = ben.locator('[data-testid=story], [data-testid=pile]:not([data-count="0"])');
  await expect(moved.first()).toBeVisible({ timeout: 30_000 });
  await expect(ben.getByRole('main')).toContainText('Ada’s tempo');
  await picture(ben, 'ghost-play');

  // Taken back: the game is played to its end, and no other begins.
  await lend(false);
  await ben.getByTestId('menu').click();
  await ben.getByTestId('propose-end').click();
  await ben.getByTestId('rematch').click();
  await expect(ben.getByTestId('toast')).toContainText('This tempo is not shared');
});

test('a tempo in other languages', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  await begin([ada, ben], mind({ levels: 1 }));
  await playLevel([ada, ben]);
  await expect(ben.getByTestId('replay')).toBeVisible();
  const origin = new URL(ada.url()).origin;
  await ada.request.put('/api/me/consent', { data: { lends_tempo: true }, headers: { origin } });
  for (const [locale, tempo, refused] of [
    ['fr', 'Tempo « Ada »', 'Un bot a besoin de 20 coups'],
    ['de', 'Tempo von Ada', 'Ein Bot braucht 20 Züge'],
    ['es', 'Ritmo de Ada', '20 jugadas'],
    ['it', 'Ritmo di Ada', '20 giocate'],
  ] as const) {
    const page = await person('Cleo', { locale });
    await page.context().addCookies(await ben.context().cookies());
    const code = await open(page, mind());
    await page.goto(`/table/${code}`);
    await page.getByTestId('add-bot').click();
    await page.getByTestId('bot-kind').selectOption({ label: tempo });
    // One level is not enough to know a tempo.
    await expect(page.getByTestId('toast')).toContainText(refused);
    await expect(page.getByTestId('bot-kind')).toHaveValue('kindred');
    await expectAccessible(page, locale);
    await page.close();
  }
});
