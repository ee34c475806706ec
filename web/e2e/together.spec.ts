import { expectAccessible } from './axe';
import { tabTo } from './keyboard';
import { begin, expect, mind, playLevel, test, type Page } from './people';
import { picture } from './picture';

const index = (page: Page) => page.getByTestId('replay-page').getAttribute('data-index').then(Number);

/** A game of two that is over, and the link to it. */
async function played(ada: Page, ben: Page): Promise<{ id: string; link: string }> {
  const code = await begin([ada, ben], mind({ levels: 2 }));
  for (let level = 1; level <= 2; level += 1) await playLevel([ada, ben]);
  await expect(ada.getByTestId('replay')).toBeVisible();
  const origin = new URL(ada.url()).origin;
  const answer = await ada.request.post(`/api/replays/${code}-1/link`, { headers: { origin } });
  const { key } = (await answer.json()) as { key: string };
  return { id: `${code}-1`, link: `/replay/${code}-1?key=${key}` };
}

test('three look at a game together: one leads, one comes late, the lead passes on', async ({ person }) => {
  test.setTimeout(300_000);
  const ada = await person('Ada');
  const ben = await person('Ben');
  const cleo = await person('Cleo');
  const { id, link } = await played(ada, ben);
  for (const page of [ada, ben]) await page.goto(`/replay/${id}`);
  await expect(ada.getByTestId('lead')).toContainText('With you: Ben');
  await ada.getByTestId('take-lead').click();
  await expect(ada.getByTestId('lead')).toHaveAttribute('data-how', 'leads');
  await expect(ben.getByTestId('lead')).toHaveText(/You follow Ada/);

  // Position, view and speed.
  for (const moves of [1, 2, 3]) {
    await ada.keyboard.press('ArrowRight');
    for (const page of [ada, ben]) await expect(page.getByTestId('replay-page')).toHaveAttribute('data-index', String(moves));
  }
  await ada.getByTestId('eyes').selectOption({ label: 'All hands open' });
  await expect(ben.getByTestId('hands')).toBeVisible();
  await ada.getByTestId('speed').selectOption({ label: '0.5×' });
  await expect(ben.getByTestId('speed')).toHaveValue('0.5');

  // Cleo has the link and comes late: she is where they are.
  await cleo.goto(link);
  await expect(cleo.getByTestId('lead')).toHaveText(/You follow Ada/);
  await expect(cleo.getByTestId('replay-page')).toHaveAttribute('data-index', '3');
  await expect(cleo.getByTestId('hands')).toBeVisible();

  // While it plays, all are at the same place within a fraction of a second.
  await ada.keyboard.press('Home');
  await ada.getByTestId('play').click();
  for (const page of [ada, ben, cleo]) await expect(page.getByTestId('play')).toHaveAccessibleName('Pause');
  const late = await cleo.context().newPage();
  await late.goto(link);
  await expect(late.getByTestId('play')).toHaveAccessibleName('Pause');
  const at = (page: Page) =>
    page
      .getByTestId('scrub')
      .evaluate((scrub: HTMLInputElement) => ({ at: scrub.valueAsNumber, now: performance.timeOrigin + performance.now() }));
  // A page that has just come, or is behind another, draws when the machine has time for it.
  await expect(async () => {
    const [first, ...rest] = await Promise.all([ada, ben, cleo, late].map(at));
    for (const other of rest) {
      // Half speed: a microsecond of the game takes two.
      const apart = (other.at - first!.at) / 500 - (other.now - first!.now);
      expect(Math.abs(apart), 'milliseconds apart').toBeLessThan(250);
    }
  }).toPass({ timeout: 8_000 });
  await late.close();
  await ada.getByTestId('play').click();
  for (const page of [ada, ben, cleo]) await expect(page.getByTestId('play')).toHaveAccessibleName('Play');
  expect(await index(ben)).toBe(await index(ada));
  expect(await index(cleo)).toBe(await index(ada));

  // They talk about it.
  await ben.getByTestId('together').click();
  await expect(ben.getByTestId('members').locator('li')).toHaveText([/Ada.*leads/s, /Ben.*you/s, /Cleo/]);
  await ben.getByTestId('chat-text').fill('that was close');
  await ben.keyboard.press('Enter');
  await expect(ben.getByTestId('chat-lines')).toContainText('that was close');
  await expect(cleo.getByTestId('remark')).toHaveText('Ben that was close');
  await expectAccessible(ben, 'looking together');
  await picture(ben, 'together');

  // A follower who does something watches alone, and can follow again.
  await cleo.keyboard.press('End');
  await expect(cleo.getByTestId('ending')).toBeVisible();
  await expect(cleo.getByTestId('lead')).toHaveText(/Ada leads/);
  await expect(ben.getByTestId('members').locator('li').nth(2)).toHaveText(/on their own/);
  const where = (await index(ada)) + 1;
  await ada.keyboard.press('ArrowRight');
  for (const page of [ada, ben]) await expect(page.getByTestId('replay-page')).toHaveAttribute('data-index', String(where));
  await expect(cleo.getByTestId('ending')).toBeVisible();
  await tabTo(cleo, 'follow');
  await cleo.keyboard.press('Enter');
  await expect(cleo.getByTestId('replay-page')).toHaveAttribute('data-index', String(where));

  // The leader leaves: the viewer who has been there longest leads on.
  await ada.close();
  await expect(ben.getByTestId('lead')).toHaveAttribute('data-how', 'leads');
  await expect(cleo.getByTestId('lead')).toHaveText(/You follow Ben/);
  expect(await index(ben)).toBe(where);
  await ben.getByTestId('level-on').click();
  for (const page of [ben, cleo]) await expect(page.getByTestId('chapter')).toHaveText('Level 2');

  // And hands it over.
  await ben.getByRole('button', { name: 'Let Cleo lead' }).click();
  await expect(cleo.getByTestId('lead')).toHaveAttribute('data-how', 'leads');
  await picture(cleo, 'together-lead');
  await cleo.getByTestId('give-up').click();
  await expect(ben.getByTestId('lead')).toHaveAttribute('data-how', 'no-leader');
});

test('a stranger with the link chooses a name first, in five languages', async ({ person, stranger }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const { id, link } = await played(ada, ben);
  await ada.goto(`/replay/${id}`);
  for (const [locale, title] of [
    ['en', 'Watch together'],
    ['fr', 'Regarder ensemble'],
    ['de', 'Gemeinsam ansehen'],
    ['es', 'Ver en compañía'],
    ['it', 'Guardare in compagnia'],
  ] as const) {
    const page = await stranger({ locale, viewport: { width: 360, height: 740 } });
    await page.goto(link);
    await expect(page.getByTestId('replay-page')).toBeVisible();
    await page.getByTestId('together').click();
    await expect(page.getByRole('dialog')).toContainText(title);
    await expectAccessible(page, locale);
    await page.getByTestId('choose-name').click();
    await page.getByTestId('name').fill('Cleo');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('members')).toContainText('Ada');
    await page.screenshot({ path: `shots/together-${locale}-360.png` });
    await page.close();
  }
});
