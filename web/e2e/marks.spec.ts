import { expectAccessible } from './axe';
import { expect, mind, open, sit, test } from './people';
import { picture } from './picture';

test('a person chooses a mark, and everyone at the table knows them by it', async ({ stranger, person }) => {
  const ben = await person('Ben');
  const code = await open(ben, mind());
  await sit(ben, code);

  const ada = await stranger();
  await ada.goto(`/table/${code}`);
  await ada.getByTestId('name').fill('Ada');
  await ada.getByTestId('picture-snail').check();
  await ada.getByTestId('colour-amber').check();
  await expectAccessible(ada, 'choosing a mark');
  await picture(ada, 'name');
  await ada.getByTestId('name-go').click();

  const drawn = (page: typeof ada) =>
    page.getByTestId('seats').locator('li', { hasText: 'Ada' }).locator('svg.mark path').getAttribute('d');
  await expect(ada.getByTestId('seats').locator('.you')).toBeVisible();
  await expect.poll(() => drawn(ada)).toMatch(/^M7 23h15/);
  const snail = await drawn(ada);
  await expect.poll(() => drawn(ben)).toBe(snail);
  const me = (await (await ada.request.get('/api/me')).json()) as { mark: unknown };
  expect(me.mark).toEqual({ picture: 'snail', colour: 'amber' });

  await ada.reload();
  await expect.poll(() => drawn(ada)).toBe(snail);
});
