import { expectAccessible } from './axe';
import { begin, expect, focus, mind, test } from './people';
import { picture } from './picture';

test('a player who went away is led back to the game', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Cleo')];
  const [ada, ben, cleo] = pages as [(typeof pages)[0], (typeof pages)[0], (typeof pages)[0]];
  const visitor = await stranger();
  await visitor.goto('/');
  await expect(visitor.getByTestId('play-now')).toBeEnabled();
  await expect(visitor.getByTestId('continue-tables')).toHaveCount(0);

  const code = await begin(pages, mind({ players: 3 }));
  await focus(pages);
  await cleo.goto('/');
  const table = cleo.getByTestId('continue-tables').getByRole('link');
  await expect(table).toHaveText(/The Mind, Level 1\s*With Ada and Ben/);
  await ben.goto('/rules/mind');
  await expect(ada.getByTestId('missing')).toContainText('Ben and Cleo');
  await cleo.reload();
  await expect(table).toContainText('With Ada. Not there now: Ben');
  await expectAccessible(cleo, 'a game to continue');
  await picture(cleo, 'home-continue');

  await ben.goto('/me');
  await expect(ben.getByTestId('continue-tables')).toContainText('With Ada. Not there now: Cleo');
  await picture(ben, 'record-continue');
  await ben.getByTestId('continue-tables').getByRole('link').click();
  await table.click();
  await expect(cleo).toHaveURL(new RegExp(`/table/${code}$`));
  for (const page of pages) await expect(page.getByTestId('pad')).toBeVisible();
  await expect(ada.getByTestId('missing')).toHaveCount(0);
});
