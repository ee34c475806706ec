import { begin, expect, mind, test, type Page } from './people';

const LANGUAGES = [
  { locale: 'en-GB', lang: 'en', headline: 'Play without a word.', stop: 'Ben stopped' },
  { locale: 'fr-FR', lang: 'fr', headline: 'Jouer sans un mot.', stop: 'Ben a dit stop' },
  { locale: 'de-DE', lang: 'de', headline: 'Spielen ohne ein Wort.', stop: 'Ben hat gestoppt' },
  { locale: 'es-MX', lang: 'es', headline: 'Jugar sin decir palabra.', stop: 'Ben ha parado' },
  { locale: 'it-IT', lang: 'it', headline: 'Giocare senza dire una parola.', stop: 'Ben ha detto stop' },
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

test('another language can be chosen, is kept, and only what is spoken is loaded', async ({ stranger }) => {
  const page = await stranger({ serviceWorkers: 'block' });
  const loaded = new Set<string>();
  page.on('request', (request) => {
    const [, part] = /\/assets\/_language_([a-z]+-[a-z]+)-/.exec(request.url()) ?? [];
    if (part) loaded.add(part);
  });
  await page.goto('/');
  await expect(page.getByTestId('demo')).toBeVisible();
  expect([...loaded]).toEqual(['en-home']);
  await page.getByTestId('settings').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect([...loaded].sort()).toEqual(['en-home', 'en-more', 'en-table']);
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spielen ohne ein Wort.');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  loaded.clear();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spielen ohne ein Wort.');
  await page.goto('/learn');
  await page.getByTestId('settings').click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect([...loaded].sort()).toEqual(['de-home', 'de-more', 'de-other', 'de-table']);
  await page.getByRole('radio', { name: 'Italiano' }).check();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Impara');
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
