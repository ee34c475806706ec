import { begin, byCard, expect, focus, front, mind, open, playLevel, sit, test, type Page } from './people';

test('a spectator sees the table and no hand', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const code = await begin(pages, mind());
  const vera = await person('Vera');
  await vera.goto(`/table/${code}`);
  await expect(vera.getByTestId('focus')).toBeVisible();
  await focus(pages);
  await expect(vera.getByTestId('pile')).toBeVisible();
  await expect(vera.getByTestId('hand')).toHaveCount(0);
  await expect(vera.getByTestId('stop')).toHaveCount(0);
  const [lowest] = await byCard(pages);
  await lowest!.page.getByTestId('play-card').click();
  await expect(vera.getByTestId('pile')).toContainText(String(lowest!.value));
});

test('a big screen needs no name, invites, and shows what all may see', async ({ person, stranger }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const tv = await stranger({ viewport: { width: 1920, height: 1080 } });
  const code = await open(ada, mind({ levels: 1 }));
  await tv.goto(`/table/${code}/screen`);
  await expect(tv.getByRole('img', { name: 'QR code' })).toBeVisible();
  const pages = [ada, ben];
  for (const page of pages) await sit(page, code);
  await expect(tv.getByTestId('screen')).toContainText('Ben');
  await ada.getByTestId('start').click();
  await playLevel(pages);
  await expect(tv.getByTestId('ending')).toContainText('You won, together');
});

test('a screen in the browser of a player does not show their hand', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  const code = await begin(pages, mind());
  const tv = await ada.context().newPage();
  await tv.goto(`/table/${code}/screen`);
  await expect(tv.getByTestId('focus')).toBeVisible();
  await focus(pages);
  await expect(tv.getByTestId('pile')).toBeVisible();
  const card = await front(ada);
  await expect(tv.getByTestId('hand')).toHaveCount(0);
  expect((await tv.getByTestId('spoken').innerText()).match(/\d+/g) ?? []).not.toContain(String(card));
});

test('with a big screen a phone can show the hand alone', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  await begin(pages, mind());
  await ada.getByTestId('menu').click();
  await ada.getByRole('switch', { name: /Only my hand/ }).check();
  await ada.keyboard.press('Escape');
  await focus(pages);
  await expect(ada.getByTestId('pile')).toHaveCount(0);
  await expect(ada.getByTestId('play-card')).toBeEnabled();
});

test('an open table is found on the home page', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const code = await open(ada, mind(), true);
  await sit(ada, code);
  await ben.goto('/');
  await ben.locator(`a[href="/table/${code}"]`).click();
  await expect(ben.getByTestId('seat-B')).toContainText('Ben');
});

test('people talk before a level and not in it', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const code = await open(ada, mind());
  await sit(ada, code);
  await sit(ben, code);
  await ada.getByTestId('chat-text').fill('hello <b>you</b>');
  await ada.keyboard.press('Enter');
  await expect(ben.getByTestId('chat-lines')).toContainText('hello <b>you</b>');
  await ada.getByTestId('start').click();
  await focus([ada, ben]);
  await ada.getByTestId('chat').click();
  await expect(ada.getByText('Chat is closed during a level.')).toBeVisible();
});
