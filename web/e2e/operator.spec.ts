import { expect, test } from './people';
import { serve } from './server';

test('below a path of a host a person plays, and reads what the operator says', async ({ stranger }) => {
  const path = '/games/unspoken';
  const { url, operate, stop } = await serve('--base-path', path);
  try {
    const page = await stranger();
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (!pathname.startsWith(`${path}/`) && pathname !== path) elsewhere.push(pathname);
    });
    // The worker is for what is below the path.
    await page.goto(`${url}/`);
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(new URL(scope).pathname).toBe(`${path}/`);
    await page.getByTestId('play-now').click();
    await page.getByTestId('name-go').click();
    await expect(page.getByTestId('pad')).toBeVisible();
    expect(new URL(page.url()).pathname).toMatch(/^\/games\/unspoken\/table\/[a-z0-9]{6}$/);
    // The same table and person again, from the address alone.
    await page.reload();
    await expect(page.getByTestId('pad')).toBeVisible();

    operate('announce', 'Back in a minute');
    const announcement = page.getByTestId('announcement');
    await expect(announcement).toContainText('From the operator: Back in a minute');
    await announcement.getByRole('button').click();
    await expect(announcement).toBeHidden();
    expect(elsewhere).toEqual([]);
  } finally {
    stop();
  }
});

test('a page at an address that the server does not expect says what its operator has to do', async ({ browser }) => {
  const { url, stop } = await serve('--public-url', 'https://play.example.org');
  // A context of its own: the refused request is an error in the console, as it should be.
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.getByTestId('play-now').click();
    await page.getByTestId('name-go').click();
    await expect(page.getByRole('alert').filter({ hasText: '--public-url' })).toContainText(`has to start it with --public-url ${url}.`);
    await expect(page.getByTestId('name')).toHaveAttribute('aria-invalid', 'false');
  } finally {
    await context.close();
    stop();
  }
});
