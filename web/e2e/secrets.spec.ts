import { begin, byCard, expect, focus, mind, test, type Page } from './people';
import type { ServerMessage } from '../src/wire.gen';

/** Every message that a page receives. */
function frames(page: Page): ServerMessage[] {
  const heard: ServerMessage[] = [];
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => heard.push(JSON.parse(String(payload)) as ServerMessage)));
  return heard;
}

test('no frame and no text of one player holds the cards of the other', async ({ person }) => {
  const pages = [await person('Ada'), await person('Ben')];
  const heard = pages.map(frames);
  await begin(pages, mind({ levels: 3 }));
  await focus(pages);
  const cards = await byCard(pages);
  for (const [index, page] of pages.entries()) {
    const theirs = cards.find((card) => card.page !== page)!;
    const mine = cards.find((card) => card.page === page)!;
    const updates = heard[index]!.flatMap((message) => (message.t === 'update' && message.view && 'mind' in message.view ? [message.view.mind] : []));
    expect(updates.length).toBeGreaterThan(2);
    for (const view of updates) expect(view.hands[1 - index]).toEqual({ theirs: 1 });
    expect(JSON.stringify(updates.map(({ hands }) => hands))).toContain(String(mine.value));
    // What is said aloud and what stands on the table.
    const text = `${await page.getByTestId('spoken').innerText()} ${await page.getByTestId('hand').innerText()} ${await page.getByTestId('pile').innerText()}`;
    expect(text.replaceAll(/Level \d+/g, '').match(/\d+/g) ?? []).not.toContain(String(theirs.value === mine.value ? -1 : theirs.value));
  }
});
