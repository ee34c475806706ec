import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** All rules; and those that look at colours, which are all that another theme can break. */
const RULES = {
  dark: `{ rules: { 'label-content-name-mismatch': { enabled: true } } }`,
  light: `{ runOnly: ['color-contrast', 'link-in-text-block'] }`,
};
const FOUND = `({ violations }) => violations.map(({ id, nodes }) => ({ id, where: nodes.map((node) => node.html + ' ' + node.failureSummary) }))`;

/**
 * axe finds nothing, dark or light. It runs in a world of its own beside the page's: the page's policy forbids what it
 * does, and a page that stands still at a scene has no timers.
 */
export async function expectAccessible(page: Page, moment: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(settled);
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const world = { frameId: frameTree.frame.id, worldName: 'axe' };
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world);
    await session.send('Runtime.evaluate', { expression: `window.axe ?? (() => { ${AXE} })()`, contextId });
    const expression = `axe.run(${RULES[colorScheme]}).then(${FOUND})`;
    const found = async () =>
      (await session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true })).result.value as unknown;
    // Now and then the browser takes a moment longer to give everything the colours of the other theme.
    await expect.poll(found, { message: `${moment}, ${colorScheme}`, timeout: 30_000 }).toEqual([]);
    await session.detach();
  }
}

/** Runs in the page: colours that follow the theme are there with the next frame, or at the end of what moves them. */
async function settled(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const finite = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
  await Promise.all(finite.map((each) => each.finished.catch(() => undefined)));
}
