import { expectAccessible } from './axe';
import { expect, mind, open, sit, test, type Page } from './people';

test('the host changes what is played, and everyone keeps a seat', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Cleo')];
  const [ada, ben, cleo] = pages as [Page, Page, Page];
  const code = await open(ada, mind({ players: 3 }));
  for (const page of pages) await sit(page, code);
  await expect(ben.getByTestId('arrange')).toHaveCount(0);

  await ada.getByTestId('arrange').click();
  await expect(ada.getByTestId('own-setup')).toBeVisible();
  await expectAccessible(ada, 'changing the set-up');
  await ada.getByRole('radio', { name: 'Royale Mastermind' }).check({ force: true });
  await ada.getByRole('radio', { name: '2', exact: true }).check({ force: true });
  await ada.getByTestId('agree-setup').click();
  await expect(ada.getByRole('alert').filter({ hasText: 'More people are seated' })).toBeVisible();

  await ada.getByRole('radio', { name: 'The Mind: Soulmates' }).check({ force: true });
  await ada.getByRole('radio', { name: '5', exact: true }).check({ force: true });
  await ada.getByRole('radio', { name: /^Friendly/ }).check({ force: true });
  await ada.getByTestId('agree-setup').click();
  for (const page of pages) {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('The Mind: Soulmates');
    await expect(page.getByTestId('seats').locator('> li')).toHaveCount(5);
  }
  await expect(cleo.getByTestId('seat-C')).toContainText('Cleo');
  await ada.getByTestId('arrange').click();
  await expect(ada.getByRole('radio', { name: /^Friendly/ })).toBeChecked();
});

test('an address that is none says so and offers a way on', async ({ browser, contextOptions }) => {
  const page = await (await browser.newContext(contextOptions)).newPage();
  for (const path of ['/nope', '/table', '/table/undefined', '/table/k3f9ab/hands', '/rules/chess']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'This page does not exist.' }), path).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page.getByTestId('play-now')).toBeVisible();
  await page.context().close();
});
