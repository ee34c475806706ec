import { readPile } from '../src/games/family/seen';
import type { Cards, Hand, Seat } from '../src/wire.gen';
import { views, wordsOf } from './frames';
import { begin, byCard, expect, extreme, focus, mind, open, royale, sit, soulmates, test, type Page } from './people';

/*
 * Nothing that only another may know is in a frame or in a page. A number that stands on the
 * table for another reason, as a level does, would hide a leak: what is looked for is told apart
 * from those.
 */

/** The numbers that a page shows and means as such, without the small ones that count something. */
async function numbers(page: Page): Promise<number[]> {
  // A connection's milliseconds are not cards.
  const found = (await wordsOf(page)).match(/(?<![\p{L}\d×±])\d+(?![\p{L}\d×]|\s?ms)/gu) ?? [];
  return found.map(Number).filter((number) => number > 12);
}

const cardsIn = (hand: Hand): Cards => (typeof hand === 'number' ? [] : hand);
const seats: Seat[] = ['A', 'B', 'C'];

test('The Mind: no player is sent or shown another hand, and a spectator none', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Cleo')];
  const tv = await stranger();
  const heard = [...pages, tv].map((page) => views(page, 'mind'));
  const code = await begin(pages, mind({ players: 3, levels: 3 }));
  await tv.goto(`/table/${code}/screen`);
  await focus(pages);
  await expect(tv.getByTestId('pile')).toBeVisible();

  for (let laid = 0; laid < 3; laid += 1) {
    const hands = pages.map((_, index) => cardsIn(heard[index]!.at(-1)!.hands[index]!));
    const open = heard[0]!.at(-1)!.pile;
    for (const [index, page] of [...pages, tv].entries()) {
      const secret = hands.flatMap((hand, seat) => (seat === index ? [] : hand)).filter((card) => card > 12);
      const shown = new Set(await numbers(page));
      for (const card of secret) expect(shown, `${card} before the pile ${open}`).not.toContain(card);
    }
    const [lowest] = await byCard(pages);
    await lowest!.page.getByTestId('play-card').click();
    if (laid < 2) for (const page of [...pages, tv]) await expect(page.getByTestId('pile')).toHaveAttribute('data-count', String(laid + 1));
  }
  for (const [index, seen] of heard.entries()) {
    await expect.poll(() => seen.length).toBeGreaterThan(3);
    for (const view of seen) for (const [seat, hand] of view.hands.entries()) expect(typeof hand === 'object').toBe(seat === index);
  }
});

test('Extreme: not the hands, not their colours, not the choice for the star, not what lies face down', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const tv = await stranger();
  const heard = [...pages, tv].map((page) => views(page, 'extreme'));
  const level = { faces: { white: 'blind', red: 'blind' }, reward: 'nothing' } as const;
  const code = await begin(pages, extreme({ table: [level, level, level], lives: 3 }));
  await tv.goto(`/table/${code}/screen`);
  await focus(pages);
  await expect(tv.getByTestId('pile').first()).toBeVisible();

  // Both agree to a star; what Ben chooses shows when both have chosen.
  await ada.getByTestId('raise').click();
  await ben.getByTestId('raise').click();
  await ben.locator('[data-testid^=choose-]').first().click();
  await expect(ben.getByTestId('choice')).toContainText('Ada');
  await expect(ada.locator('[data-testid^=choose-]')).toHaveCount(1);
  expect(heard[0]!.at(-1)!.choice).toBeUndefined();
  expect(heard[2]!.at(-1)!.choice).toBeUndefined();
  await ada.locator('[data-testid^=choose-]').click();
  for (const page of pages) await expect(page.getByTestId('story')).toContainText('Level 1 complete');

  await focus(pages);
  const hidden = pages.map((_, index) => {
    const hand = heard[index]!.at(-1)!.hands[index]!;
    return typeof hand === 'number' ? [] : [...hand.white, ...hand.red].filter((card) => card > 12);
  });
  await ada.getByTestId('play-card').first().click();
  for (const page of [ada, ben, tv]) {
    const counts = () => page.getByTestId('pile').evaluateAll((piles) => piles.map((pile) => (pile as HTMLElement).dataset['count']));
    await expect.poll(counts).toContain('1');
  }
  for (const [index, page] of [ada, ben, tv].entries()) {
    const shown = await numbers(page);
    const known = [...(hidden[index] ?? []), ...(heard[index]!.at(-1)!.public.aside ?? []).flatMap(({ white, red }) => [...white, ...red])];
    const secret = hidden.flatMap((cards, seat) => (seat === index ? [] : cards)).filter((card) => !known.includes(card));
    expect(secret.length).toBeGreaterThan(0);
    for (const card of secret) expect(shown).not.toContain(card);
  }

  for (const [index, seen] of heard.entries()) {
    expect(seen.length).toBeGreaterThan(3);
    for (const view of seen) {
      for (const [seat, hand] of view.hands.entries()) expect(typeof hand === 'object').toBe(seat === index);
      for (const pile of [view.piles.white, view.piles.red]) {
        for (const card of readPile(pile)) if (card.face) expect(card.seat, 'one knows what one laid').toBe(seats[index]);
      }
    }
  }
});

test('Soulmates: what the Seer saw is the Seer’s', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Cleo')];
  const [ada] = pages as [Page];
  const tv = await stranger();
  const heard = [...pages, tv].map((page) => views(page, 'soulmates'));
  const code = await open(ada, soulmates([{ cards: 6, look: 3, hints: 1 }], { players: 3 }));
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  await tv.goto(`/table/${code}/screen`);
  await ada.getByTestId('look').click();
  await expect(ada.getByTestId('hinting')).toBeVisible();
  const vision = heard[0]!.at(-1)!.vision;
  const seen = vision === 'blind' ? [] : vision.seer.known;
  expect(seen).toHaveLength(3);
  for (const page of [pages[1]!, pages[2]!, tv]) {
    const shown = await numbers(page);
    for (const card of seen.filter((each) => each > 12)) expect(shown).not.toContain(card);
  }
  await ada.getByTestId('write').click();
  await focus(pages);
  const hands = pages.map((_, index) => cardsIn(heard[index]!.at(-1)!.hands[index]!));
  for (const [index, page] of [...pages, tv].entries()) {
    if (index === 0) continue;
    const secret = hands.flatMap((hand, seat) => (seat === index ? [] : hand)).filter((card) => card > 12);
    const shown = await numbers(page);
    for (const card of secret) expect(shown).not.toContain(card);
  }
  for (const [index, all] of heard.entries()) {
    expect(all.length).toBeGreaterThan(3);
    for (const view of all) {
      if (index !== 0) expect(view.vision).toBe('blind');
      for (const [seat, hand] of view.hands.entries()) expect(typeof hand === 'object').toBe(seat === index);
    }
  }
});

test('Royale: the code and the marks of the others', async ({ person, stranger }) => {
  const pages = [await person('Ada'), await person('Ben'), await person('Cleo')];
  const [ada, ben, cleo] = pages as [Page, Page, Page];
  const tv = await stranger();
  const heard = [...pages, tv].map((page) => views(page, 'royale'));
  const code = await open(ada, royale({ players: 3, rounds: 3 }));
  for (const page of pages) await sit(page, code);
  await ada.getByTestId('start').click();
  await tv.goto(`/table/${code}/screen`);
  for (const card of ['A2', 'C4', 'E1']) await ada.getByTestId(`card-${card}`).click();
  const places = (page: Page) => page.getByTestId('code').innerText();
  expect(await places(ada)).toContain('C4');
  const known = (seen: object[]) => new Set(seen.map((view) => JSON.stringify(view))).size;
  const before = heard.map(known);
  for (const page of [ben, cleo, tv]) expect(await wordsOf(page)).not.toContain('Place 2: C4');
  expect(heard.map(known), 'a choice changes no view').toEqual(before);
  await ada.getByTestId('hide').click();
  for (const page of [ben, cleo, tv]) {
    await expect(page.getByTestId('royale')).toHaveAttribute('data-phase', 'breaking');
    expect(await places(page)).not.toMatch(/red rectangle|green square|blue circle/);
    expect(await page.getByTestId('spoken').innerText()).not.toMatch(/red rectangle|green square|blue circle/);
  }
  const theirs = heard.map(known);
  await ben.getByTestId('card-B2').click();
  await expect(ben.getByTestId('card-B2')).toHaveAttribute('aria-pressed', 'true');
  for (const kind of [1, 1, 2]) await ben.getByTestId(`token-colours-${kind}`).click();
  await ben.getByTestId('ask-colours').click();
  for (const page of [ada, cleo, tv]) {
    await expect(page.getByTestId('row-colours')).toHaveCount(1);
    await expect(page.getByTestId('card-B2')).not.toHaveAttribute('aria-pressed', 'true');
  }
  for (const index of [0, 2, 3]) expect(known(heard[index]!), 'a mark is no news').toBe(theirs[index]! + 1);
  for (const [index, seen] of heard.entries()) {
    for (const view of seen) {
      if (view.code) expect(view.code).toEqual(index === 0 ? { known: ['A2', 'C4', 'E1'] } : 'backs');
      if (index !== 1) expect(view.marks).toEqual([]);
    }
  }
});
