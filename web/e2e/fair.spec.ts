import { readSeen } from '../src/games/family/seen';
import type { MindSight, Seat, ServerMessage } from '../src/wire.gen';
import { canHold, holdAt } from './hold';
import { Network } from './network';
import { expect, mind, open, test as base, type Locator, type Page } from './people';
import { keeps, picture } from './picture';
import { serve } from './server';

/** Two people, the server's options, and how far away each of them is. */
interface Far {
  served: (...options: string[]) => Promise<string>;
  away: (name: string, url: string, roundTripMs: number) => Promise<Player>;
}

interface Player {
  page: Page;
  network: Network;
  /** Whose cards the server says were played, in order. */
  played: Seat[];
  /** How often the server says that a life was lost. */
  erred: () => number;
}

const test = base.extend<Far>({
  served: async ({}, use) => {
    const stops: (() => void)[] = [];
    await use(async (...options) => {
      const { url, stop } = await serve(...options);
      stops.push(stop);
      return url;
    });
    stops.forEach((stop) => stop());
  },
  away: async ({ stranger }, use) => {
    const networks: Network[] = [];
    const pages: Page[] = [];
    await use(async (name, baseURL, roundTripMs) => {
      const network = await Network.open(roundTripMs / 2);
      networks.push(network);
      const page = await stranger({ baseURL, proxy: network.proxy });
      pages.push(page);
      const played: Seat[] = [];
      let erred = 0;
      page.on('websocket', (socket) =>
        socket.on('framereceived', ({ payload }) => {
          const message = JSON.parse(String(payload)) as ServerMessage;
          if (message.t !== 'update') return;
          const sights = (message.sights ?? []).flatMap((sight): MindSight[] => ('mind' in sight ? [sight.mind] : []));
          for (const sight of sights) {
            if ('played' in sight) played.push(readSeen(sight.played).seat);
            if ('notice' in sight && typeof sight.notice === 'object' && 'erred' in sight.notice) erred += 1;
          }
        }),
      );
      const answer = await page.request.post('/api/me', { data: { name }, headers: { origin: baseURL } });
      expect(answer.ok()).toBe(true);
      return { page, network, played, erred: () => erred };
    });
    // First the pages: a request that is on its way when its network closes would be an error of the page.
    await Promise.all(pages.map((page) => page.context().close()));
    networks.forEach((network) => network.close());
  },
});

test.skip(!process.env['UNSPOKEN_BIN'], 'it starts servers of its own');

const APART_MS = 80;
/** A machine that is so busy that connections vary by more cannot tell who was first. */
const VARY_MS = APART_MS / 4;

/** Ada at 20 ms and Ben at 200 ms. */
const arrive = async (away: Far['away'], url: string): Promise<[Player, Player]> => [
  await away('Ada', url, 20),
  await away('Ben', url, 200),
];

/** A table of one level, which Ada starts. */
async function gather(players: [Player, Player], setup = mind({ levels: 1 })): Promise<void> {
  const [ada] = players;
  const code = await open(ada.page, setup);
  for (const { page } of players) {
    await page.goto(`/table/${code}`);
    await expect(page.getByTestId('seats').locator('.you')).toBeVisible();
  }
  await ada.page.getByTestId('start').click();
  for (const { page } of players) await expect(page.getByTestId('quality')).toContainText(/\d ms/);
}

/** The page presses its card at a time that all pages of this machine agree on; says when it did. */
function pressAt(page: Page, at: number): Promise<number> {
  return page.getByTestId('play-card').evaluate((card: HTMLElement, at) => {
    const now = () => performance.timeOrigin + performance.now();
    return new Promise<number>((pressed) => {
      const press = () => {
        // Timers are a few milliseconds out, which would be a part of what is measured.
        while (now() < at);
        const when = now();
        card.click();
        pressed(when);
      };
      setTimeout(press, at - now() - 8);
    });
  }, at);
}

const now = (page: Page) => page.evaluate(() => performance.timeOrigin + performance.now());
const card = (page: Page) => page.getByTestId('play-card').getAttribute('data-value').then(Number);

/** Both tap the table, which leaves their hands lying there. */
async function lay(players: [Player, Player]): Promise<void> {
  await Promise.all(
    players.map(async ({ page }) => {
      await expect(page.getByTestId('pad')).toBeVisible();
      await page.keyboard.press(' ');
    }),
  );
}

/** Both lay their hands on the table, and play begins. */
async function focus(players: [Player, Player]): Promise<void> {
  await lay(players);
  await Promise.all(players.map(({ page }) => expect(page.getByTestId('play-card')).toBeEnabled()));
}

/**
 * Whether both come to what is waited for. On a busy machine pages answer so unsteadily that the
 * level rightly pauses: then there is no race, and what was pressed is given back.
 */
async function reach(players: [Player, Player], what: (page: Page) => Locator): Promise<boolean> {
  const reached = await Promise.all(
    players.map(async ({ page }) => {
      const paused = page.getByTestId('paused');
      await expect(what(page).or(paused).first()).toBeVisible({ timeout: 20_000 });
      return !(await paused.isVisible());
    }),
  );
  return reached.every(Boolean);
}

/** Goes on to the ending, as any press does while the last cards are told. */
async function passMoment(page: Page): Promise<void> {
  const ending = page.getByTestId('ending').or(page.getByTestId('paused')).first();
  await expect(async () => {
    await page.keyboard.press('x');
    await expect(ending).toBeVisible({ timeout: 250 });
  }).toPass({ timeout: 20_000 });
}

/** By how much a connection varies, as its player is told. */
const varies = async ({ page }: Player) => Number(/±(\d+)/.exec((await page.getByTestId('quality').textContent()) ?? '')?.[1] ?? 0);

interface Race {
  /** Who was to be first, by the cards. */
  first: Seat;
  /** Whether they were. */
  right: boolean;
  /** Whether it was a race of that kind: the pages pressed when they should, over connections as they should be. */
  counts: boolean;
}

/** Plays a game: the player with the lower card presses, the other one 80 ms later. */
async function race(players: [Player, Player]): Promise<Race | undefined> {
  await lay(players);
  if (!(await reach(players, (page) => page.locator('[data-testid=play-card]:enabled')))) return undefined;
  const [ada, ben] = players;
  const [own, other] = await Promise.all([card(ada.page), card(ben.page)]);
  const adaFirst = own < other;
  const before = [ada.played.length, ada.erred()] as const;
  const vary = Math.max(...(await Promise.all(players.map(varies))));
  const at = (await now(ada.page)) + 300;
  const [a, b] = await Promise.all([pressAt(ada.page, adaFirst ? at : at + APART_MS), pressAt(ben.page, adaFirst ? at + APART_MS : at)]);
  await Promise.all(players.map(({ page }) => passMoment(page)));
  if (!(await reach(players, (page) => page.getByTestId('ending')))) return undefined;
  const first = adaFirst ? 'A' : 'B';
  const right = ada.played[before[0]] === first && ada.erred() === before[1];
  await ada.page.getByTestId('rematch').click();
  const apart = adaFirst ? b - a : a - b;
  return { first, right, counts: Math.abs(apart - APART_MS) < 10 && vary <= VARY_MS };
}

/** Races until each has been first so often. */
async function races(players: [Player, Player], each: number): Promise<Race[]> {
  const all: Race[] = [];
  const count = (seat: Seat) => all.filter(({ first }) => first === seat).length;
  await gather(players);
  while (count('A') < each || count('B') < each) {
    const one = await race(players);
    if (!one) await gather(players);
    else if (one.counts) all.push(one);
  }
  return all;
}

test('who pressed first comes first, however far away', async ({ served, away }) => {
  test.setTimeout(600_000);
  const all = await races(await arrive(away, await served()), 20);
  expect(all.length).toBeGreaterThanOrEqual(40);
  expect(all.filter(({ right }) => !right)).toEqual([]);
});

test('by arrival the one who is far away comes too late', async ({ served, away }) => {
  test.setTimeout(300_000);
  const all = await races(await arrive(away, await served('--fair-order', 'false')), 5);
  const wrong = all.filter(({ right }) => !right);
  expect(wrong.length).toBeGreaterThanOrEqual(4);
  expect(wrong.filter(({ first }) => first === 'A')).toEqual([]);
});

test('a level pauses for a player whose network stands still', async ({ served, away }) => {
  const players = await arrive(away, await served());
  const [ada, ben] = players;
  await gather(players);
  await focus(players);
  ben.network.freeze(true);
  await expect(ada.page.getByTestId('paused-B')).toHaveAttribute('data-why', 'silent');
  await expect(ada.page.getByTestId('paused')).toContainText('Ben can’t be reached.');
  ben.network.freeze(false);
  await focus(players);
  for (const { page } of players) await expect(page.getByTestId('paused')).toBeHidden();
});

test('a level pauses for a player who hides the page', async ({ served, away }) => {
  const players = await arrive(away, await served());
  const [ada, ben] = players;
  await gather(players);
  await focus(players);
  // Headless pages are never hidden by themselves.
  const look = (state: 'hidden' | 'visible') =>
    ben.page.evaluate((state) => {
      Object.defineProperty(document, 'visibilityState', { value: state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await look('hidden');
  await expect(ada.page.getByTestId('paused-B')).toHaveAttribute('data-why', 'hidden');
  await look('visible');
  await focus(players);
  await expect(ada.page.getByTestId('paused')).toBeHidden();
});

test('two cards within the error of time are a close call, and the lower one counts first', async ({ served, away }) => {
  test.setTimeout(300_000);
  const url = await served();
  const players: [Player, Player] = [await away('Ada', url, 200), await away('Ben', url, 200)];
  const [ada, ben] = players;
  if (keeps) await canHold(ada.page);
  const manners = { photo_finish: true, tempo_report: 'after-game', seeding: 'fixed', export: false } as const;
  await expect(async () => {
    await gather(players, mind({ levels: 2, manners }));
    await focus(players);
    const [own, other] = await Promise.all([card(ada.page), card(ben.page)]);
    const [low, high] = own < other ? [ada, ben] : [ben, ada];
    if (keeps) await holdAt(ada.page, 'close');
    const at = (await now(ada.page)) + 300;
    await Promise.all([pressAt(high.page, at), pressAt(low.page, at + 6)]);
    const names = own < other ? ['Ada', 'Ben'] : ['Ben', 'Ada'];
    const says = `${Math.min(own, other)} from ${names[0]} counts before ${Math.max(own, other)} from ${names[1]}`;
    await Promise.all(players.map(({ page }) => expect(page.locator('[data-scene=close]')).toContainText(says, { timeout: 5_000 })));
    await Promise.all(players.map(({ page }) => expect(page.getByTestId('spoken')).toContainText(says)));
    expect(ada.erred()).toBe(0);
  }).toPass({ timeout: 150_000 });
  if (keeps) await picture(ada.page, 'scene-close');
});
