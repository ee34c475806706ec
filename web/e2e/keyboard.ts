import { expect, type Page } from '@playwright/test';

const TABS_MOST = 60;

/** Moves the focus with Tab alone until it is inside. */
export async function tabTo(page: Page, testId: string): Promise<void> {
  await expect(page.getByTestId(testId).first()).toBeVisible();
  const inside = () => page.evaluate((id) => Boolean(document.activeElement?.closest(`[data-testid="${id}"]`)), testId);
  for (let presses = 0; presses < TABS_MOST && !(await inside()); presses += 1) await page.keyboard.press('Tab');
  expect(await inside(), `Tab leads to ${testId}`).toBe(true);
}
