import { expect, type Locator, type Page } from '@playwright/test';

const TABS_MOST = 60;

/** Moves the focus with Tab alone until it is inside. */
export async function tabTo(page: Page, testId: string): Promise<void> {
  await tabToOne(page, page.getByTestId(testId).first());
}

/** The same for a part that is named otherwise. */
export async function tabToOne(page: Page, wanted: Locator): Promise<void> {
  await expect(wanted).toBeVisible();
  const inside = () => wanted.evaluate((element) => element.contains(document.activeElement));
  for (let presses = 0; presses < TABS_MOST && !(await inside()); presses += 1) await page.keyboard.press('Tab');
  expect(await inside(), `Tab leads to ${wanted.toString()}`).toBe(true);
}
