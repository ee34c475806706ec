import type { RoyaleSetup, Setup, SoulmatesSetup } from '../src/wire.gen';
import { canHold, holdAt } from './hold';
import { begin, byCard, expect, extreme, focus, mind, open, sit, test, type Page } from './people';
import { picture } from './picture';

const manners = { photo_finish: false, tempo_report: 'after-game', seeding: 'fixed', export: false } as const;

test('the way to a table', async ({ person }) => {
  const ada = await person('Ada');
  const ben = await person('Ben');
  await ada.goto('/');
  await expect(ada.getByTestId('play-now')).toBeEnabled();
  await picture(ada, 'home');
  const demonstrated = async (game: 'extreme' | 'soulmates' | 'royale') => {
    await ada.getByTestId(`game-${game}`).check();
    await expect(ada.locator(`[data-testid=demo].game-${game}`)).toBeVisible();
  };
  await demonstrated('extreme');
  await picture(ada, 'home-extreme');
  await demonstrated('soulmates');
  await picture(ada, 'home-soulmates');
  await demonstrated('royale');
  await picture(ada, 'home-royale');
  const code = await open(ada, mind({ players: 4 }), true);
  await sit(ada, code);
  await sit(ben, code);
  await ben.getByTestId('ready').click();
  await expect(ada.getByTestId('seat-B').getByTestId('is-ready')).toBeVisible();
  await picture(ada, 'lobby');
});

test('The Mind', async ({ person }) => {
  const people = [await person('Ada'), await person('Ben'), await person('Mia'), await person('Noah')];
  for (const page of people) await canHold(page);
  const screen = await person('Television', { viewport: { width: 1920, height: 1080 } });
  const code = await begin(people, mind({ players: 4, levels: 8, first_level: 5, manners }));
  await screen.goto(`/table/${code}/screen`);
  await picture(people[0]!, 'mind-focus');
  await focus(people);
  for (let laid = 1; laid <= 4; laid += 1) {
    await (await byCard(people))[0]!.page.getByTestId('play-card').click();
    for (const page of [...people, screen]) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid));
  }
  const [lowest] = await byCard(people);
  await picture(lowest!.page, 'mind');
  await picture(screen, 'mind-screen');
  await holdAt(lowest!.page, 'erred');
  await (await byCard(people)).at(-1)!.page.getByTestId('play-card').click();
  await expect(lowest!.page.locator('[data-scene=erred]')).toBeVisible();
  await picture(lowest!.page, 'mind-mistake');
});

/** Plays the card that comes first on a pile of Extreme. */
async function playFirst(pages: Page[], side: 'white' | 'red'): Promise<void> {
  const fronts = pages.map((page) => page.locator(`[data-side=${side}]`).getByTestId('play-card'));
  const values = await Promise.all(
    fronts.map(async (front) => ((await front.count()) > 0 ? Number(await front.getAttribute('data-value')) : Number.NaN)),
  );
  const held = values.filter((value) => !Number.isNaN(value));
  const first = side === 'white' ? Math.min(...held) : Math.max(...held);
  await fronts[values.indexOf(first)]!.click();
}

/** How many cards lie on both piles. */
async function counted(page: Page): Promise<number> {
  const piles = await page.getByTestId('pile').all();
  const counts = await Promise.all(piles.map((pile) => pile.getAttribute('data-count')));
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

test('Extreme', async ({ person }) => {
  const people = [await person('Ada'), await person('Ben'), await person('Cleo')];
  const level = { faces: { white: 'open', red: 'open' }, reward: 'star' } as const;
  await begin(people, extreme({ players: 3, table: Array(5).fill(level), first_level: 5, manners }));
  await focus(people);
  let laid = 0;
  for (const side of ['white', 'red', 'white', 'red'] as const) {
    await playFirst(people, side);
    laid += 1;
    for (const page of people) await expect.poll(() => counted(page)).toBe(laid);
  }
  // The fullest hand with cards of both colours.
  const held = (page: Page, side: string) => page.locator(`[data-side=${side}] li`).count();
  const fullness = await Promise.all(
    people.map(async (page) => {
      const [white, red] = await Promise.all([held(page, 'white'), held(page, 'red')]);
      return Math.min(white, 1) + Math.min(red, 1) + (white + red) / 100;
    }),
  );
  await picture(people[fullness.indexOf(Math.max(...fullness))]!, 'extreme');
});

test('Soulmates', async ({ person }) => {
  const people = [await person('Ada'), await person('Ben'), await person('Cleo')];
  const free: SoulmatesSetup['table'] = { free: [{ cards: 6, look: 4, hints: 2 }] };
  const setup: Setup = { soulmates: { players: 3, lives: 3, table: free, first_seer: 'A', manners } };
  const code = await open(people[0]!, setup);
  for (const page of people) await sit(page, code);
  await people[0]!.getByTestId('start').click();
  await people[0]!.getByTestId('look').click();
  await expect(people[0]!.getByTestId('write')).toBeVisible();
  await picture(people[0]!, 'soulmates-seer');
  for (const hint of [1, 2]) await people[0]!.locator('[data-testid^=hint-]').nth(hint).click();
  await people[0]!.getByTestId('write').click();
  await focus(people);
  const [lowest, next] = await byCard(people);
  await lowest!.page.getByTestId('play-card').click();
  for (const page of people) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', '1');
  await expect(next!.page.getByTestId('lifted')).toBeHidden();
  await picture(next!.page, 'soulmates');
});

test('Royale', async ({ person }) => {
  const people = [await person('Ada'), await person('Ben')];
  const aids: RoyaleSetup['aids'] = { count: true, shade: true, suggest: false };
  const setup: Setup = { royale: { players: 2, variant: 'alternate', rounds: 8, unsolved: 8, aids, manners } };
  const code = await open(people[0]!, setup);
  for (const page of people) await sit(page, code);
  await people[0]!.getByTestId('start').click();
  for (const card of ['B3', 'D1', 'E5']) await people[0]!.getByTestId(`card-${card}`).click();
  await people[0]!.getByTestId('hide').click();
  const rows = [
    ['colours', 1, 1, 2],
    ['shapes', 1, 2, 3],
    ['colours', 2, 4, 5],
  ] as const;
  for (const [zone, ...row] of rows) {
    for (const kind of row) await people[1]!.getByTestId(`token-${zone}-${kind}`).click();
    await people[1]!.getByTestId(`ask-${zone}`).click();
    await expect(people[1]!.getByTestId('royale')).toHaveAttribute('data-phase', 'breaking');
  }
  await picture(people[1]!, 'royale');
});
