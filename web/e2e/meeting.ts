import { expect, mind, open, sit, type Page } from './people';

/** Two people begin a game and end it early together; it is on their records afterwards. */
export async function endedGame(one: Page, other: Page): Promise<void> {
  const code = await open(one, mind());
  await sit(one, code);
  await sit(other, code);
  await one.getByTestId('start').click();
  await endGame(one, other);
  await expect.poll(async () => ((await (await one.request.get('/api/me/games')).json()) as { games: unknown[] }).games.length).toBe(1);
}

/** All agree to end the game that is on. */
export async function endGame(one: Page, other: Page): Promise<void> {
  for (const page of [one, other]) await expect(page.getByTestId('menu')).toBeVisible();
  await one.getByTestId('menu').click();
  await one.getByTestId('propose-end').click();
  await other.getByTestId('end').click();
  await expect(one.getByTestId('replay')).toBeVisible();
}
