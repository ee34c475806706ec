import { expect, test } from './people';

test('the page can be installed, and opens without a network', async ({ stranger }) => {
  const page = await stranger();
  await page.goto('/');
  const manifest = await page.request.get((await page.locator('link[rel=manifest]').getAttribute('href'))!);
  expect(await manifest.json()).toMatchObject({ name: 'Unspoken', display: 'standalone' });
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  // From now on requests go through the worker, which keeps what it sees.
  await page.reload();
  await expect(page.getByTestId('play-now')).toBeVisible();
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByTestId('play-now')).toBeVisible();
  // What is not there yet says so, and comes as soon as there is a network.
  await page.getByTestId('new-table').click();
  await expect(page.getByTestId('load-again')).toBeVisible();
  await page.getByTestId('load-again').click();
  await expect(page.getByTestId('load-again')).toBeVisible();
  await page.context().setOffline(false);
  await page.getByTestId('load-again').click();
  await expect(async () => {
    // A browser that remembers the failure has opened the page anew.
    if (!(await page.getByTestId('agree-setup').isVisible())) await page.getByTestId('new-table').click({ timeout: 1_000 });
    await expect(page.getByTestId('agree-setup')).toBeVisible({ timeout: 1_000 });
  }).toPass();
});

test('a newer page is taken at once', async ({ stranger }) => {
  const page = await stranger();
  await page.goto('/');
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.reload();
  await page.context().route('**/learn', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('<title>Unspoken', '<title>Newer') });
  });
  const answer = await page.goto('/learn');
  expect(await answer!.text()).toContain('<title>Newer');
});

test('files that change their names are kept for ever, the page itself is not', async ({ stranger }) => {
  const page = await stranger();
  const cached = new Map<string, string | undefined>();
  page.on('response', (response) => cached.set(new URL(response.url()).pathname, response.headers()['cache-control']));
  await page.goto('/');
  await expect(page.getByTestId('play-now')).toBeVisible();
  expect(cached.get('/')).toBe('no-cache');
  const assets = [...cached].filter(([path]) => path.startsWith('/assets/'));
  expect(assets.length).toBeGreaterThan(1);
  for (const [, caching] of assets) expect(caching).toContain('immutable');
});

test('nothing is loaded from other hosts', async ({ stranger, baseURL }) => {
  const page = await stranger();
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).origin));
  await page.goto('/');
  await page.getByTestId('play-now').click();
  await page.getByTestId('name-go').click();
  await expect(page.getByTestId('pad')).toBeVisible();
  expect([...hosts]).toEqual([baseURL]);
});
