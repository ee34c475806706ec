import { canSleep, sleep } from './asleep';
import { cuttable } from './cuttable';
import { begin, byCard, expect, focus, front, mind, sit, open, test, type Page } from './people';

test('a reload in mid-level brings the same hand back', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await begin(pages, mind());
  await focus(pages);
  const card = await front(ben);
  await ben.reload();
  await expect(ben.getByTestId('pad')).toBeVisible();
  expect(await front(ben)).toBe(card);
  await expect(ada.getByTestId('pad')).toBeVisible();
  await focus(pages);
  await expect(ben.getByTestId('play-card')).toBeEnabled();
});

test('a connection that is cut is told, waited for, and mends by itself', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const network = await cuttable(ben);
  await begin(pages, mind());
  await focus(pages);
  await network.cut();
  await expect(ben.getByTestId('link')).toContainText('Connection lost');
  await expect(ada.getByTestId('missing')).toContainText('Ben has left the table');
  network.mend();
  await expect(ben.getByTestId('link')).toHaveAttribute('data-link', 'open');
  await expect(ada.getByTestId('missing')).toBeHidden();
  await focus(pages);
  await expect(ada.getByTestId('pile')).toBeVisible();
});

test('a device that has slept learns the time anew while the level pauses', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  await canSleep(ben);
  await begin(pages, mind());
  await focus(pages);
  await sleep(ben, 30_000);
  await expect(ada.getByTestId('paused-B')).toHaveAttribute('data-why', 'hidden');
  await focus(pages);
  await expect(ada.getByTestId('paused')).toBeHidden();
  const { page, value } = (await byCard(pages))[0]!;
  await page.getByTestId('play-card').click();
  // A page with a clock that is off would show it half a minute late.
  for (const each of pages) await expect(each.getByTestId('pile')).toHaveAttribute('data-count', '1');
  expect(value).toBeGreaterThan(0);
});

test('the players who are there agree that a bot plays on, and the missing player comes back', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const network = await cuttable(ben);
  await begin(pages, mind());
  await network.cut();
  await ada.getByTestId('hold').click();
  await expect(ada.getByTestId('missing')).toBeHidden();
  network.mend();
  await expect(ben.getByTestId('pad')).toBeVisible();
});

test('a refused command is told in words, and the card is still there', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  // Any card that Ada plays arrives as a card that no player holds at this level.
  await ada.routeWebSocket('**/ws', (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => server.send(String(text).replace(/\{"play":(\d+)\}/, (_, card) => `{"play":${(Number(card) % 100) + 1}}`)));
  });
  await begin(pages, mind());
  await focus(pages);
  const card = await front(ada);
  await ada.getByTestId('play-card').click();
  await expect(ada.getByTestId('toast')).toHaveAttribute('data-code', 'not-held');
  await expect(ada.getByTestId('toast')).toContainText('You no longer hold that card.');
  expect(await front(ada)).toBe(card);
});

test('a table that there is not is said so', async ({ person }) => {
  const ada = await person('Ada');
  await ada.goto('/table/zzzzzz');
  await expect(ada.getByRole('heading', { name: 'There is no table with this code.' })).toBeVisible();
});

test('a host who leaves is followed by another', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  const code = await open(ada, mind());
  await sit(ada, code);
  await sit(ben, code);
  await ada.getByTestId('stand').click();
  await expect(ben.getByTestId('start')).toBeVisible();
  await expect(ada.getByText('You are watching.')).toBeVisible();
});
