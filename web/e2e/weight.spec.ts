import type { CDPSession } from '@playwright/test';
import { expect, extreme, focus, mind, open, royale, sit, soulmates, test, type Page } from './people';
import type { Setup } from '../src/wire.gen';

/* What the network brings, compressed, until a visitor can do something. A service worker would hide what it fetches. */
test.use({ contextOptions: { serviceWorkers: 'block' } });

const HOME_KB_MOST = 90;
const GAME_KB_MOST = 140;

interface Idle extends Window {
  beIdle: () => void;
}

/** Holds back what a page does when it has nothing else to do, until `beIdle` is called. */
async function keepBusy(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const waiting: IdleRequestCallback[] = [];
    window.requestIdleCallback = (run) => waiting.push(run);
    (window as unknown as Idle).beIdle = () => waiting.splice(0).forEach((run) => run({ didTimeout: false, timeRemaining: () => 50 }));
  });
}

/** Sums the compressed bodies of everything that a page fetches from now on, sockets aside. */
class Weight {
  #bytes = 0;
  #open = new Map<string, string>();
  #heads = new Map<string, number>();
  readonly files: string[] = [];

  private constructor(session: CDPSession) {
    session.on('Network.requestWillBeSent', ({ requestId, request }) => this.#open.set(requestId, new URL(request.url).pathname));
    session.on('Network.loadingFailed', ({ requestId }) => this.#open.delete(requestId));
    session.on('Network.responseReceived', ({ requestId, response }) => this.#heads.set(requestId, response.encodedDataLength));
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const body = encodedDataLength - (this.#heads.get(requestId) ?? 0);
      this.#bytes += body;
      this.files.push(`${(body / 1024).toFixed(1)} ${this.#open.get(requestId)}`);
      this.#open.delete(requestId);
    });
  }

  static async of(page: Page): Promise<Weight> {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    return new Weight(session);
  }

  /** Kilobytes so far, as soon as nothing is under way. */
  async kilobytes(): Promise<number> {
    await expect.poll(() => [...this.#open.values()]).toEqual([]);
    return this.#bytes / 1024;
  }
}

test('home is usable within its weight, and its demonstration comes after', async ({ stranger }) => {
  const page = await stranger({ locale: 'fr-FR' });
  await keepBusy(page);
  const weight = await Weight.of(page);
  await page.goto('/');
  await expect(page.getByTestId('play-now')).toBeVisible();
  const home = await weight.kilobytes();
  expect(home, weight.files.join('\n')).toBeLessThanOrEqual(HOME_KB_MOST);
  expect(home, 'fonts and scripts are counted').toBeGreaterThan(40);
  await page.evaluate(() => (window as unknown as Idle).beIdle());
  await expect(page.getByTestId('demo')).toBeVisible();
  expect(
    weight.files.filter((file) => file.includes('-table-')),
    'a demonstration needs no texts of other pages',
  ).toEqual([]);
});

const GAMES: [string, Setup][] = [
  ['The Mind', mind()],
  ['Extreme', extreme()],
  ['Soulmates', soulmates([{ cards: 4, look: 2, hints: 1 }])],
  ['Royale', royale()],
];
for (const [title, setup] of GAMES) {
  test(`${title} is played within its weight, invitation and lobby included`, async ({ person }) => {
    // French has the longest texts.
    const pages = [await person('Ada'), await person('Ben', { locale: 'fr-FR' })];
    const [ada, ben] = pages as [Page, Page];
    const code = await open(ada, setup);
    await keepBusy(ben);
    const weight = await Weight.of(ben);
    for (const page of pages) await sit(page, code);
    await ada.getByTestId('start').click();
    if (title === 'Royale') {
      for (const card of ['A1', 'B2', 'C3']) await ada.getByTestId(`card-${card}`).click();
      await ada.getByTestId('hide').click();
      await ben.getByTestId('token-colours-1').click();
    } else {
      if (title === 'Soulmates') {
        await ada.getByTestId('look').click();
        await ada.getByTestId('write').click();
      }
      await focus(pages);
      await expect(ben.getByTestId('play-card').first()).toBeEnabled();
    }
    const game = await weight.kilobytes();
    expect(game, weight.files.join('\n')).toBeLessThanOrEqual(GAME_KB_MOST);
    expect(game).toBeGreaterThan(100);
  });
}
