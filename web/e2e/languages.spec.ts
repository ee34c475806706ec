import { begin, expect, mind, test, type Page } from './people';

const LANGUAGES = [
  { locale: 'en-GB', lang: 'en', headline: 'Play without a word.', stop: 'Ben stopped' },
  { locale: 'fr-FR', lang: 'fr', headline: 'Jouer sans un mot.', stop: 'Ben a dit stop' },
  { locale: 'de-DE', lang: 'de', headline: 'Spielen ohne ein Wort.', stop: 'Ben hat gestoppt' },
];

for (const { locale, lang, headline, stop } of LANGUAGES) {
  test(`the browser's language is taken: ${lang}`, async ({ person }) => {
    const pages = [await person('Ada', { locale }), await person('Ben')];
    const [ada, ben] = pages as [Page, Page];
    await ada.goto('/');
    await expect(ada.getByRole('heading', { level: 1 })).toHaveText(headline);
    await expect(ada.locator('html')).toHaveAttribute('lang', lang);
    await begin(pages, mind());
    await ada.getByTestId('pad').click();
    await ben.getByTestId('pad').click();
    await ben.getByTestId('stop').click();
    await expect(ada.getByTestId('story')).toContainText(stop);
  });
}

test('another language can be chosen, and is kept', async ({ stranger }) => {
  const page = await stranger();
  await page.goto('/');
  await page.getByTestId('settings').click();
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spielen ohne ein Wort.');
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spielen ohne ein Wort.');
});

test('light or dark can be chosen, and is kept', async ({ stranger }) => {
  const page = await stranger({ colorScheme: 'dark' });
  await page.goto('/');
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await page.getByTestId('settings').click();
  await page.getByRole('radio', { name: 'Light', exact: true }).check();
  expect(await scheme()).toBe('light');
  await page.reload();
  await expect.poll(scheme).toBe('light');
});
