import type { Page } from './people';

interface Held extends Window {
  wantScene: (kind: string | null) => void;
}

/**
 * Lets a page stop at a scene, which would be over before its pictures are taken: no timer of the
 * page runs out from the moment the scene is shown until it goes on.
 */
export async function canHold(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const setReal = window.setTimeout.bind(window);
    let wanted: string | null = null;
    let held = false;
    const due: (() => void)[] = [];
    window.setTimeout = ((run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
      setReal(() => (held ? due.push(() => run(...values)) : run(...values)), ms)) as typeof window.setTimeout;
    const look = () => {
      if (wanted !== null && document.querySelector(`[data-scene="${wanted}"]`)) held = true;
    };
    document.addEventListener('DOMContentLoaded', () =>
      new MutationObserver(look).observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        attributeFilter: ['data-scene'],
      }),
    );
    (window as unknown as Held).wantScene = (kind) => {
      wanted = kind;
      held = false;
      for (const run of due.splice(0)) run();
      look();
    };
  });
}

/** Stops at the next scene of that kind; goes on now if it stands still. */
export async function holdAt(page: Page, kind: string | null): Promise<void> {
  await page.evaluate((wanted) => (window as unknown as Held).wantScene(wanted), kind);
}
