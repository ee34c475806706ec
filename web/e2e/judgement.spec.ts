import { expectAccessible } from './axe';
import { expect, open, royale, sit, test, type Page } from './people';
import { picture } from './picture';

const ROWS = [
  ['colours', 1, 1, 2],
  ['shapes', 1, 2, 3],
  ['colours', 2, 4, 4],
  ['colours', 2, 4, 5],
  ['shapes', 3, 1, 1],
  ['shapes', 3, 1, 5],
] as const;

/** Ada hides a code, and Ben breaks it in six rows. */
async function playRound(ada: Page, ben: Page): Promise<void> {
  for (const card of ['B3', 'D1', 'E5']) await ada.getByTestId(`card-${card}`).click();
  await ada.getByTestId('hide').click();
  for (const [zone, ...row] of ROWS) {
    for (const kind of row) await ben.getByTestId(`token-${zone}-${kind}`).click();
    await ben.getByTestId(`ask-${zone}`).click();
  }
  for (const page of [ada, ben]) await page.getByTestId('next-round').click();
}

async function gather(ada: Page, ben: Page, suggest: boolean): Promise<string> {
  const code = await open(ada, royale({ aids: { count: false, shade: false, suggest } }));
  for (const page of [ada, ben]) await sit(page, code);
  await ada.getByTestId('start').click();
  return code;
}

test('after a round everyone sees what each row was worth, where the solver helps', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  await gather(ada, ben, true);
  await expect(ben.getByTestId('judge')).toBeHidden();
  await playRound(ada, ben);
  await ben.getByTestId('judge').focus();
  await ben.keyboard.press('Enter');
  const rows = ben.getByTestId('judged-rows').getByRole('listitem');
  await expect(rows).toHaveCount(ROWS.length);
  await expect(ben.getByTestId('reckoning')).toContainText('Ben asked 6 rows. Perfect play takes about 7.1.');
  await expect(ben.getByTestId('rows-said')).toContainText(/Row \d cost |No row could have been better/);
  await expect(rows.first()).not.toContainText('Codes left');
  await picture(ben, 'judgement-words');
  await ben.locator('summary', { hasText: 'Details' }).click();
  await expect(rows.first()).toContainText('Codes left: 13,800 → ');
  await expect(rows.last()).toContainText(/Rows to go: \d\.\d\d → 0\.00/);
  await expect(ben.getByTestId('judged-grid').getByRole('img')).toHaveAttribute('aria-label', /^Possible after row 1: /);
  await expectAccessible(ben, 'rows judged');
  await picture(ben, 'judgement');
  await ben.getByTestId('judged-6').focus();
  await ben.keyboard.press('Enter');
  await expect(ben.getByTestId('judged-grid').getByRole('img')).toHaveAttribute('aria-label', 'Possible after row 6: B3, D1, E5');
});

test('elsewhere they see it after the game, in their language', async ({ person, stranger }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const code = await gather(ada, ben, false);
  await playRound(ada, ben);
  await expect(ben.getByTestId('judge')).toBeHidden();
  for (const page of [ada, ben]) {
    await page.getByTestId('menu').click();
    await page.getByTestId('propose-end').click();
  }
  await expect(ben.getByTestId('judge')).toBeVisible();
  await expect(ben.getByTestId('end-words')).toContainText('Ben asked 6 rows. Perfect play takes about 7.');
  await expectAccessible(ben, 'the end of Royale');
  await picture(ben, 'end-royale');
  const link = await ben.request.post(`/api/replays/${code}-1/link`, { headers: { origin: new URL(ben.url()).origin } });
  const { key } = (await link.json()) as { key: string };
  for (const [locale, title] of [
    ['fr', 'Que valait chaque rangée'],
    ['de', 'Wie gut war jede Reihe?'],
    ['es', '¿Qué tal fue cada fila?'],
    ['it', 'Quanto valeva ogni fila?'],
  ] as const) {
    const eve = await stranger({ locale });
    await eve.goto(`/replay/${code}-1?key=${key}`);
    await eve.getByTestId('judge').click();
    await expect(eve.getByRole('dialog', { name: title })).toBeVisible();
    await expect(eve.getByTestId('judged-rows').getByRole('listitem')).toHaveCount(ROWS.length);
    await expectAccessible(eve, `rows judged, ${locale}`);
  }
});
