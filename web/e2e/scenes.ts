import type { Page } from './people';

interface Noted extends Window {
  scenes: string[];
  said: Record<string, string>;
}

/** What a page has shown: its scenes in order, and what each of them said. */
export interface Scenes {
  /** The kinds of all scenes so far, and `over` whenever there is none. */
  kinds: () => Promise<string[]>;
  /** What the last scene of a kind said; empty if there was none. */
  said: (kind: string) => Promise<string>;
}

/** Notes the scenes that a page shows from now on: a busy machine looks too late for some. */
export async function noteScenes(page: Page): Promise<Scenes> {
  await page.evaluate(() => {
    const scenes: string[] = [];
    const said: Record<string, string> = {};
    const note = () => {
      const scene = document.querySelector<HTMLElement>('[data-scene]');
      const kind = scene?.dataset['scene'] ?? 'over';
      if (scenes.at(-1) !== kind) scenes.push(kind);
      if (scene) said[kind] = scene.textContent!.replace(/\s+/g, ' ');
    };
    new MutationObserver(note).observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-scene'],
    });
    Object.assign(window, { scenes, said });
  });
  return {
    kinds: () => page.evaluate(() => (window as unknown as Noted).scenes),
    said: (kind) => page.evaluate((kind) => (window as unknown as Noted).said[kind] ?? '', kind),
  };
}
