import { cuttable } from './cuttable';
import { Ears } from './ears';
import { begin, byCard, expect, extreme, mind, open, royale, sit, soulmates, test, type Page } from './people';

/*
 * Games as a player with a screen reader plays them: what the browser hands to it is all they
 * know of the table, and buttons are found by their names.
 */

/** Presses a button that goes by this name, once it can be pressed. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name }).first();
  await expect(button).toBeEnabled();
  await button.press('Enter');
}

/** Everyone lays a hand on the table, by the button's name. */
async function layHands(pages: Page[]): Promise<void> {
  for (const page of pages) await press(page, 'Your hand on the table');
}

test('The Mind is played by ear', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const ears = await Promise.all(pages.map(Ears.of));
  await begin(pages, mind({ levels: 2 }));
  for (const level of [1, 2]) {
    const hands: number[][] = [];
    for (const said of ears)
      hands.push((await said.last(new RegExp(`Level ${level}\\. Your cards: ([^.]*)\\.`)))[1]!.match(/\d+/g)!.map(Number));
    await layHands(pages);
    for (const said of ears) await expect.poll(() => said.times('Play begins.')).toBe(level);
    const order = hands.flatMap((cards, player) => cards.map((card) => ({ card, player }))).sort((a, b) => a.card - b.card);
    for (const { card, player } of order) {
      // Before it is laid the other has not heard of it.
      expect(await ears[1 - player]!.times(` plays ${card}.`)).toBe(0);
      await press(pages[player]!, `Play ${card}`);
      await expect.poll(() => ears[player]!.times(`You play ${card}.`)).toBe(1);
      await expect.poll(() => ears[1 - player]!.times(` plays ${card}.`)).toBe(1);
    }
  }
  for (const said of ears) {
    expect(await said.times('Level 1 complete')).toBe(1);
    await expect.poll(() => said.times('won')).toBeGreaterThan(0);
  }
});

test('Extreme is played by ear', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const ears = await Promise.all(pages.map(Ears.of));
  await begin(pages, extreme());
  const hands: { colour: string; value: number; player: number }[] = [];
  for (const [player, said] of ears.entries()) {
    const [, cards] = await said.last(/Level 1\. Your cards: ([^.]*)\./);
    for (const [, colour, value] of cards!.matchAll(/(white|red) (\d+)/g)) hands.push({ colour: colour!, value: Number(value), player });
  }
  expect(hands).toHaveLength(2);
  await layHands(pages);
  const order = hands.sort((a, b) =>
    a.colour === b.colour ? (a.value - b.value) * (a.colour === 'red' ? -1 : 1) : a.colour === 'white' ? -1 : 1,
  );
  for (const { colour, value, player } of order) await press(pages[player]!, `Play ${colour} ${value}`);
  for (const said of ears) {
    for (const { colour, value } of hands) await expect.poll(() => said.times(`${colour} ${value}`)).toBeGreaterThan(0);
    await expect.poll(() => said.times('Level 1 complete')).toBe(1);
  }
});

test('Soulmates is played by ear', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  const ears = await Promise.all(pages.map(Ears.of));
  const code = await open(ada, soulmates([{ cards: 2, look: 1, hints: 1 }]));
  for (const page of pages) await sit(page, code);
  await press(ada, 'Start');
  await press(ada, 'Look at the cards');
  const [, seen] = await ears[0]!.last(/Only you see: (\d+)\./);
  expect(await ears[1]!.times('Only you see')).toBe(0);
  await press(ada, new RegExp(`\\b${seen}\\b`));
  await press(ada, 'Write on the slate');
  for (const said of ears) await expect.poll(() => said.times(`On the slate: ${seen}.`)).toBe(1);
  const hands: { card: number; player: number }[] = [];
  for (const [player, said] of ears.entries()) {
    const [, cards] = await said.last(/Your cards?: ([^.]*)\./);
    for (const card of cards!.match(/\d+/g) ?? []) hands.push({ card: Number(card), player });
  }
  await layHands(pages);
  for (const { card, player } of hands.sort((a, b) => a.card - b.card)) {
    await press(pages[player]!, `Play ${card}`);
    await expect.poll(() => ears[1 - player]!.times('plays a card face down')).toBeGreaterThan(0);
  }
  for (const said of ears) await expect.poll(() => said.times('Level 1 complete')).toBe(1);
});

test('Royale is played by ear', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const ears = await Promise.all(pages.map(Ears.of));
  const code = await open(ada, royale());
  for (const page of pages) await sit(page, code);
  await press(ada, 'Start');
  for (const card of [/red circle/, /yellow rectangle/, /green triangle/]) await press(ada, card);
  await press(ada, 'Hide this code');
  await expect.poll(() => ears[1]!.times('Ada has hidden')).toBe(1);
  for (const colour of ['Red', 'Yellow', 'Green']) await press(ben, new RegExp(`^${colour}`, 'i'));
  await press(ben, 'Ask');
  for (const said of ears) await expect.poll(() => said.times('red, yellow, green: 3 in place, 0 elsewhere.')).toBe(1);
  for (const shape of ['Circle', 'Rectangle', 'Triangle']) await press(ben, new RegExp(`^${shape}`, 'i'));
  await press(ben, 'Ask');
  for (const said of ears) await expect.poll(() => said.times('The code was red circle, yellow rectangle, and green triangle.')).toBe(1);
});

test('a mistake is one line: the card, its consequence, the lives that are left, and whose hand is missing', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const ears = await Promise.all(pages.map(Ears.of));
  await begin(pages, mind({ levels: 2 }));
  for (const said of ears) {
    await said.last(/^Level 1\. Your cards: \d+\. The level waits for your hand\.$/);
  }
  await press(pages[0]!, 'Your hand on the table');
  await expect.poll(() => ears[0]!.times('Your hand is down.')).toBe(1);
  await expect.poll(() => ears[1]!.times('Ada: hand on the table. Only your hand is missing.')).toBe(1);
  expect(await ears[0]!.times('Ada: hand')).toBe(0);
  await press(pages[1]!, 'Your hand on the table');
  const [lowest, highest] = await byCard(pages);
  await press(highest!.page, `Play ${highest!.value}`);
  const early = pages.indexOf(highest!.page);
  const name = early === 0 ? 'Ben' : 'Ada';
  const [line] = await ears[early]!.last(/^You play .*/);
  expect(line).toMatch(
    new RegExp(
      `^You play ${highest!.value}\\. Mistake: one life lost\\. Should have come first: ${lowest!.value} from ${name}\\. Level 1 complete\\. 4 lives left\\. Level 2\\. Your cards: [^.]*\\. The level waits for your hand\\.$`,
    ),
  );
  await expect.poll(() => ears[1 - early]!.times(`${lowest!.value} from you`)).toBe(1);
});

test('a connection that is lost is said once, and so is its return', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada] = pages as [Page, Page];
  const network = await cuttable(ada);
  const said = await Ears.of(ada);
  await begin(pages, mind({ levels: 1 }));
  await network.cut();
  await expect.poll(network.refused).toBeGreaterThan(2);
  network.mend();
  await expect(ada.getByTestId('link')).toHaveAttribute('data-link', 'open');
  await expect.poll(() => said.times('Connected again.')).toBe(1);
  expect(await said.times('Connection lost')).toBe(1);
});

test('the lobby says who comes, and nothing of it is said when the level begins', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const [ada, ben] = pages as [Page, Page];
  const said = await Ears.of(ada);
  const code = await open(ada, mind({ levels: 1 }));
  await sit(ada, code);
  await sit(ben, code);
  await expect.poll(() => said.times('Ben sits down. All seats are taken. You can start.')).toBe(1);
  await press(ben, 'I’m ready');
  await expect.poll(() => said.times('Ben is ready.')).toBe(1);
  const before = (await said.said()).length;
  await press(ada, 'Start');
  await said.last(/Level 1/);
  expect((await said.said()).slice(before)).toEqual([
    expect.stringMatching(/^Level 1\. Your cards: \d+\. The level waits for your hand\.$/),
  ]);
});
