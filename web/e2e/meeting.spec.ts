import { expectAccessible } from './axe';
import { expect, test, type Page } from './people';
import { picture } from './picture';

const PHONE = { viewport: { width: 360, height: 740 } };

/** Opens the search on the home page and says for how many players. */
async function prepare(page: Page, players: number): Promise<void> {
  await page.goto('/');
  await page.getByTestId('find-partners').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: String(players), exact: true }).check({ force: true });
}

async function search(page: Page, players: number): Promise<void> {
  await prepare(page, players);
  await page.getByTestId('search-partners').click();
}

test('two people search, find each other and open the chat together', async ({ person }) => {
  const [ada, ben] = [await person('Ada'), await person('Ben', PHONE)];
  await ada.goto('/');
  await ada.getByTestId('find-partners').click();
  await expectAccessible(ada, 'the search for partners');
  await picture(ada, 'partners-search');
  await ada.getByTestId('search-partners').click();
  await expect(ada.getByTestId('searching')).toContainText('1 of 2 are here');
  await expect(ada.getByTestId('searching')).toContainText(/In \d+ seconds?, bots take the free seats/);
  await expectAccessible(ada, 'waiting for partners');
  await picture(ada, 'partners-waiting');
  // The checks above can take longer than bots wait: Ada begins anew when Ben is ready.
  await prepare(ben, 2);
  await search(ada, 2);
  await ben.getByTestId('search-partners').click();
  for (const page of [ada, ben]) {
    await expect(page).toHaveURL(/\/table\/[a-z0-9]{6}$/);
    await expect(page.getByTestId('strangers')).toContainText('The chat opens when all of you agree');
  }
  await expectAccessible(ben, 'a table for strangers');
  await picture(ben, 'partners-table');
  await ada.getByTestId('chat').click();
  await expect(ada.getByTestId('chat-text')).toBeHidden();
  await expect(ada.getByTestId('signs')).toBeVisible();
  await ada.keyboard.press('Escape');
  await ada.getByTestId('agree-chat').click();
  await expect(ada.getByTestId('strangers')).toContainText('You agree to chat');
  await ben.getByTestId('agree-chat').click();
  await expect(ben.getByTestId('strangers')).toBeHidden();
  await ben.getByTestId('chat').click();
  await ben.getByTestId('chat-text').fill('hello');
  await ben.keyboard.press('Enter');
  await ada.getByTestId('chat').click();
  await expect(ada.getByTestId('chat-lines')).toContainText('hello');
});

test('after 15 seconds a bot has the seat, and a person takes it over', async ({ person }) => {
  test.setTimeout(120_000);
  const [ada, ben] = [await person('Ada', PHONE), await person('Ben', PHONE)];
  await search(ada, 3);
  await expect(ada).toHaveURL(/\/table\//, { timeout: 30_000 });
  await search(ben, 3);
  await expect(ben).toHaveURL(ada.url());
  await expect(ben.getByTestId('strangers')).toContainText('A bot is keeping a seat for you');
  await picture(ben, 'partners-seat');
  await expectAccessible(ben, 'a seat of a bot');
  await ben.getByTestId('take-seat').click();
  await expect(ben.getByTestId('take-seat')).toBeHidden();
  await expect(ben.getByTestId('watching')).toBeHidden();
});
