import { expectAccessible } from './axe';
import { tabTo } from './keyboard';
import { begin, byCard, expect, focus, mind, open, playLevel, royale, sit, test, type Page } from './people';
import { picture } from './picture';

/** Opens a table for the deal of the game that a page shows, and goes there. */
async function again(page: Page): Promise<string> {
  await page.getByTestId('deal').click();
  await page.getByTestId('play-deal').click();
  await page.getByTestId('challenge-table').click();
  await expect(page.getByTestId('same-deal')).toBeVisible();
  return new URL(page.url()).pathname.split('/').at(-1)!;
}

/** What each of them was dealt in the second level. */
async function secondHands(pages: Page[]): Promise<string[]> {
  for (const page of pages) await expect(page.getByTestId('hand').locator('li')).toHaveCount(2);
  return Promise.all(pages.map((page) => page.getByTestId('hand').innerText()));
}

test('another team plays the same deal, and the results are laid over each other', async ({ person }) => {
  test.setTimeout(300_000);
  const ada = await person('Ada');
  const ben = await person('Ben');
  const cleo = await person('Cleo');
  const dan = await person('Dan');
  const manners = { photo_finish: false, tempo_report: 'after-game', seeding: 'fresh', export: false } as const;
  const code = await begin([ada, ben], mind({ levels: 3, manners }));
  await playLevel([ada, ben]);
  const dealt = await secondHands([ada, ben]);
  await playLevel([ada, ben]);
  for (const page of [ada, ben]) {
    await page.getByTestId('menu').click();
    await page.getByTestId('propose-end').click();
  }
  await ada.getByTestId('replay').click();
  await ada.getByTestId('deal').click();
  await expect(ada.getByTestId('no-others')).toBeVisible();
  // The seed is revealed, and fits what this browser was shown when the game began.
  await ada.getByTestId('deal-proof').locator('summary').click();
  await expect(ada.getByTestId('proof')).toHaveAttribute('data-proof', 'kept');
  await expect(ada.getByTestId('seed')).toHaveText(/^[0-9a-f]{64}$/);
  await expectAccessible(ada, 'what a revealed seed proves');
  await ada.keyboard.press('Escape');

  // A person who has seen the deal may open the table, and is marked if they sit down.
  const other = await again(ada);
  await ada.getByTestId('sit').first().click();
  await expect(ada.getByTestId('knows')).toHaveText('knows this deal');
  await expectAccessible(ada, 'a table for a deal');
  await picture(ada, 'deal-table');
  await ada.getByTestId('stand').click();
  await expect(ada.getByTestId('knows')).toHaveCount(0);
  await ada.goto('/');
  for (const page of [cleo, dan]) await sit(page, other);
  await cleo.getByTestId('start').click();
  await playLevel([cleo, dan]);
  expect(await secondHands([cleo, dan])).toEqual(dealt);

  // A mistake, and the end.
  await focus([cleo, dan]);
  await (await byCard([cleo, dan])).at(-1)!.page.getByTestId('play-card').click();
  for (const page of [cleo, dan]) {
    await page.getByTestId('menu').click();
    await page.getByTestId('propose-end').click();
  }
  await cleo.getByTestId('deal').click();
  await expect(cleo.getByTestId('team')).toHaveText([/Cleo and Dan.*this game.*ended early/s, /Ada and Ben.*ended early/s]);
  await cleo.keyboard.press('Escape');

  await ada.goto(`/replay/${code}-1`);
  await tabTo(ada, 'deal');
  await ada.keyboard.press('Enter');
  await expect(ada.getByTestId('team')).toHaveText([/Ada and Ben.*this game/s, /Cleo and Dan/]);
  await expect(ada.getByTestId('knew')).toHaveCount(0);
  await expect(ada.getByTestId('team').nth(1).locator('td').nth(3)).toHaveText('1');
  await ada.getByTestId('deal-level').selectOption('2');
  await expect(ada.getByTestId('deal-picture').locator('polyline')).toHaveCount(2);
  await ada.getByText('Card by card').click();
  await expect(ada.getByTestId('deal-cards').locator('tbody tr')).toHaveCount(4);
  await expectAccessible(ada, 'two teams');
  await picture(ada, 'deal');
  await ada.getByRole('checkbox', { name: 'Cleo and Dan' }).uncheck();
  await expect(ada.getByTestId('deal-picture').locator('polyline')).toHaveCount(1);
});

test('rows and points of Royale lie side by side, in five languages', async ({ person }) => {
  test.setTimeout(300_000);
  const ada = await person('Ada');
  const ben = await person('Ben');
  const code = await open(ada, royale());
  const round = async () => {
    for (const card of ['B3', 'D1', 'E5']) await ada.getByTestId(`card-${card}`).click();
    await ada.getByTestId('hide').click();
    for (const [zone, ...row] of [
      ['colours', 2, 4, 5],
      ['shapes', 3, 1, 5],
    ] as const) {
      for (const kind of row) await ben.getByTestId(`token-${zone}-${kind}`).click();
      await ben.getByTestId(`ask-${zone}`).click();
    }
  };
  const end = async () => {
    for (const page of [ada, ben]) {
      await page.getByTestId('next-round').click();
      await page.getByTestId('menu').click();
      await page.getByTestId('propose-end').click();
    }
  };
  for (const page of [ada, ben]) await sit(page, code);
  await ada.getByTestId('start').click();
  await round();
  await end();
  const other = await again(ada);
  // A person who opens a table for others is not seated by that; a person who follows a link is.
  await ada.getByTestId('sit').first().click();
  await expect(ada.getByTestId('seats').locator('.you')).toBeVisible();
  await sit(ben, other);
  await expect(ada.getByTestId('knows')).toHaveCount(2);
  await ada.getByTestId('start').click();
  await round();
  await end();
  for (const [locale, knew] of [
    ['en', 'Ada and Ben knew the deal'],
    ['fr', 'Donne déjà connue : Ada et Ben'],
    ['de', 'Kannten die Karten schon: Ada und Ben'],
    ['es', 'Ya conocían las cartas: Ada y Ben'],
    ['it', 'Conoscevano già le carte: Ada e Ben'],
  ] as const) {
    const page = await person('Eve', { locale });
    await page.context().addCookies(await ada.context().cookies());
    await page.goto(`/replay/${code}-1`);
    await page.getByTestId('deal').click();
    await expect(page.getByTestId('knew')).toHaveText(knew);
    await expect(page.getByTestId('deal-rounds').locator('tbody tr')).toHaveCount(1);
    await expectAccessible(page, locale);
    if (locale === 'en') await picture(page, 'deal-royale');
    await page.close();
  }
});
