import { expectAccessible } from './axe';
import { expect, test, type Page } from './people';
import { picture } from './picture';

const PHONE = { viewport: { width: 360, height: 740 } };

/** Goes to the person's own page and opens one of the dialogs about devices. */
async function openDialog(page: Page, button: 'add-device' | 'phrase'): Promise<void> {
  await page.goto('/me');
  await page.getByTestId(button).click();
}

test('a link signs a phone in, confirmed on the first device, and the others are signed out again', async ({ person, stranger }) => {
  const laptop = await person('Ada');
  await openDialog(laptop, 'add-device');
  const dialog = laptop.getByTestId('device-link');
  await expect(dialog.getByRole('img')).toBeVisible();
  await expectAccessible(laptop, 'a link for another device');
  await picture(laptop, 'device-link');
  const link = (await dialog.getAttribute('data-link'))!;

  const phone = await stranger(PHONE);
  await phone.goto(link);
  await expect(phone.getByTestId('sign-in')).toBeVisible();
  await expectAccessible(phone, 'signing in on this device');
  await picture(phone, 'device-page');
  await phone.getByTestId('sign-in').click();
  const number = (await phone.getByTestId('number').textContent())!;
  await picture(phone, 'device-number');
  await expect(dialog).toContainText(`Does your other device show ${number}?`);
  await expectAccessible(laptop, 'confirming a device');
  await picture(laptop, 'device-confirm');
  await laptop.getByTestId('confirm-device').click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('You are Ada on this device, too.');
  await expect(dialog).toContainText('Your other device is signed in.');

  // The link is used up.
  const other = await stranger();
  await other.goto(link);
  other.on('console', () => undefined);
  await other.getByTestId('sign-in').click();
  await expect(other.getByRole('alert')).toContainText('has ended or was used already');

  await phone.goto('/me');
  await expect(phone.getByTestId('devices')).toContainText('You are signed in on 2 devices.');
  await phone.getByTestId('sign-out-others').click();
  await expect(phone.getByTestId('devices')).toContainText('All other devices are signed out.');
  await laptop.goto('/me');
  await expect(laptop.getByRole('heading', { level: 1 })).not.toHaveText('Ada');
});

test('a recovery phrase that was written down brings a person back', async ({ person, stranger }) => {
  const ada = await person('Ada', PHONE);
  await openDialog(ada, 'phrase');
  await ada.getByTestId('phrase-show').click();
  await expect(ada.getByTestId('words').getByRole('listitem')).toHaveCount(12);
  const words = await ada.getByTestId('words').getByRole('listitem').allTextContents();
  expect(words).toHaveLength(12);
  await expectAccessible(ada, 'a recovery phrase');
  await picture(ada, 'device-phrase');
  await ada.getByTestId('phrase-written').click();
  await expect(ada.getByTestId('devices')).toContainText('You have a recovery phrase.');

  // A person who is asked for a name finds the way back.
  const lost = await stranger();
  await lost.goto('/');
  await lost.getByTestId('new-table').click();
  await lost.getByTestId('agree-setup').click();
  await lost.getByTestId('name-known').click();
  await lost.getByTestId('typed-phrase').fill('twelve words that are no phrase at all');
  await lost.getByTestId('recover').click();
  await expect(lost.getByRole('alert')).toContainText('not a recovery phrase');
  await expectAccessible(lost, 'coming back');
  await picture(lost, 'device-recover');
  await lost.getByTestId('typed-phrase').fill(words.join('  ').toUpperCase());
  await lost.getByTestId('recover').click();
  await expect(lost.getByRole('heading', { level: 1 })).toHaveText('You are Ada on this device, too.');
});
