import { expectAccessible } from './axe';
import { endGame } from './meeting';
import { expect, sit, test } from './people';
import { picture } from './picture';

const SIZES = [
  ['phone', { width: 360, height: 740 }],
  ['laptop', { width: 1280, height: 800 }],
  ['wide', { width: 1920, height: 1080 }],
] as const;

test('the deal of the day is played once, and then all teams are in one picture', async ({ person }) => {
  const [ada, ben] = [await person('Ada'), await person('Ben')];
  await ada.goto('/');
  await ada.getByTestId('daily').click();
  await expect(ada.getByRole('heading', { level: 1 })).toHaveText('The deal of the day');
  const hash = await ada.getByTestId('hash-today').textContent();
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  // In the first hour of a day (UTC) yesterday's deal may still be played.
  if (new Date().getUTCHours() > 0) {
    await expect(ada.getByTestId('daily-checked')).toContainText('this is the seed of yesterday’s hash');
  } else await expect(ada.getByTestId('seed-yesterday')).toBeHidden();
  await ada.getByTestId('daily-play').click();
  await expect(ada.getByTestId('same-deal')).toContainText('The deal of the day');
  const code = ada.url().split('/').at(-1)!;
  await sit(ben, code);
  await ada.getByTestId('start').click();
  await endGame(ada, ben);

  // A finished game is put on record a moment after its end.
  await expect(async () => {
    await ada.goto('/daily');
    await expect(ada.getByTestId('daily-teams')).toContainText('Your team', { timeout: 3_000 });
  }).toPass({ timeout: 30_000 });
  await expect(ada.getByTestId('daily-play')).toBeHidden();
  for (const [name, viewport] of SIZES) {
    await ada.setViewportSize(viewport);
    await expectAccessible(ada, `the deal of the day, ${name}`);
    expect(await ada.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
  }
  await picture(ada, 'daily');
});
