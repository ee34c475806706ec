import { expectAccessible } from './axe';
import { picture } from './picture';
import { expect, test } from './people';
import { GAME_NAMES } from './shots';

/** What is read in two minutes. */
const WORDS_MOST = 400;

const GOALS = [
  { locale: 'en-GB', goal: 'What you want' },
  { locale: 'fr-FR', goal: 'Le but' },
  { locale: 'de-DE', goal: 'Das Ziel' },
  { locale: 'es-ES', goal: 'El objetivo' },
  { locale: 'it-IT', goal: 'L’obiettivo' },
];

for (const { locale, goal } of GOALS) {
  test(`the rules of every game are read and fit, in ${locale}`, async ({ stranger }) => {
    const page = await stranger({ locale });
    for (const game of GAME_NAMES) {
      await page.goto(`/rules/${game}`);
      const guide = page.getByTestId('guide');
      await expect(guide.getByRole('heading', { level: 2 }).first()).toHaveText(goal);
      const words = (await guide.innerText()).split(/\s+/).filter((word) => /\p{L}/u.test(word));
      expect(words.length, `${game} is read in two minutes, in words`).toBeLessThanOrEqual(WORDS_MOST);
      expect(words.length).toBeGreaterThan(100);
      // A worked example in pictures.
      expect(await guide.locator('ol').getByRole('img').count()).toBeGreaterThan(2);
      await expectAccessible(page, `${game} ${locale}`);
      await picture(page, `rules-${game}-${locale.slice(0, 2)}`);
    }
  });
}

test('the secret of The Mind is behind a button, and nothing of tests is on a page', async ({ stranger }) => {
  const page = await stranger();
  await page.goto('/rules/mind');
  const secret = page.getByText('There is no trick');
  await expect(page.getByTestId('guide')).toBeVisible();
  await expect(secret).toBeHidden();
  await page.getByTestId('secret').locator('summary').click();
  await expect(secret).toBeVisible();
  for (const game of GAME_NAMES) {
    await page.goto(`/rules/${game}`);
    await page.getByTestId('all-rules').locator('summary').click();
    await expect(page.locator('article')).toBeVisible();
    await expect(page.locator('article')).not.toContainText(/crates|examples|For developers/);
  }
});
