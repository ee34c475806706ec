import { begin, expect, mind, playLevel, test } from './people';

test('The Mind, from the home page to the blind encore and again', async ({ stranger, person }) => {
  const ada = await stranger();
  const ben = await person('Ben');

  await ada.goto('/');
  await ada.getByTestId('new-table').click();
  await ada.getByTestId('more').locator('summary').click();
  const fewer = ada.getByRole('button', { name: 'Fewer: Levels' });
  for (let levels = 12; levels > 1; levels -= 1) await fewer.click();
  await ada.getByTestId('agree-setup').click();
  await ada.getByTestId('name').fill('Ada');
  await ada.getByTestId('name-go').click();
  await expect(ada.getByTestId('seat-A')).toContainText('Ada');
  await expect(ada.getByTestId('start')).toBeDisabled();

  await ben.goto('/');
  await ben.getByTestId('code').fill(await ada.getByTestId('table-code').innerText());
  await ben.getByTestId('join').click();
  await ben.getByTestId('ready').click();
  await expect(ada.getByTestId('seat-B').getByTestId('is-ready')).toBeVisible();
  await ada.getByTestId('start').click();

  const pages = [ada, ben];
  await playLevel(pages);
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');

  await ada.getByTestId('continue').click();
  await expect(ben.getByTestId('ending')).toContainText('Ready to go on: Ada');
  await ben.getByTestId('continue').click();
  await playLevel(pages);
  for (const page of pages) {
    await expect(page.getByTestId('ending')).toContainText('1 level completed blind');
  }

  await ada.getByTestId('rematch').click();
  for (const page of pages) {
    await expect(page.getByTestId('pad')).toBeVisible();
    await expect(page.getByTestId('ending')).toBeHidden();
  }
});

test('The Mind for four, on two levels to victory', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Cleo'), await person('Dan')];
  await begin(pages, mind({ players: 4 }));
  await playLevel(pages);
  for (const page of pages) await expect(page.getByTestId('story')).toContainText('Level 1 complete');
  await playLevel(pages);
  for (const page of pages) await expect(page.getByTestId('ending')).toHaveAttribute('data-how', 'won');
});

test('a visitor who wants to play now is in a level after two decisions', async ({ stranger }) => {
  const page = await stranger();
  await page.goto('/');
  await page.getByTestId('play-now').click();
  await page.getByTestId('name-go').click();
  await expect(page.getByTestId('pad')).toBeVisible();
});
