import { expectAccessible } from './axe';
import { endedGame } from './meeting';
import { expect, test } from './people';
import { picture } from './picture';

const PHONE = { viewport: { width: 360, height: 740 } };

test('play again with Mia: the invitation waits on her home page and the browser shows it', async ({ person }) => {
  test.setTimeout(120_000);
  const [ada, mia] = [await person('Ada'), await person('Mia', PHONE)];
  await endedGame(ada, mia);
  await ada.goto('/me');
  await expect(ada.getByTestId('people')).toContainText('Mia');
  await expectAccessible(ada, 'your people');
  await picture(ada, 'people');

  // Mia has allowed notifications and is on another page of ours.
  await mia.context().grantPermissions(['notifications']);
  await mia.addInitScript(() => {
    const shown: string[] = [];
    Object.assign(globalThis, { shown });
    class Shown {
      static permission = 'granted';
      static requestPermission = async () => 'granted';
      onclick: (() => void) | null = null;
      constructor(_title: string, options: { body: string }) {
        shown.push(options.body);
      }
      close() {}
    }
    Object.assign(globalThis, { Notification: Shown });
  });
  await mia.goto('/me');
  await mia.getByRole('switch', { name: /Notify me/ }).check();
  await expect(mia.getByTestId('people')).toContainText('Nothing is sent to other services');
  await picture(mia, 'people-notify');

  await ada.getByTestId('again').click();
  await expect(ada).toHaveURL(/\/table\//);
  await expect
    .poll(() => mia.evaluate(() => (globalThis as unknown as { shown: string[] }).shown), { timeout: 40_000 })
    .toEqual(['Ada wants to play with you again']);
  await mia.goto('/');
  await expect(mia.getByTestId('invitations')).toContainText('Ada wants to play with you again');
  await expectAccessible(mia, 'an invitation');
  await picture(mia, 'invitation');
  await mia.getByTestId('accept').click();
  await expect(mia).toHaveURL(ada.url());
  await mia.goto('/');
  await expect(mia.getByTestId('daily')).toBeVisible();
  await expect(mia.getByTestId('invitations')).toBeHidden();
});
