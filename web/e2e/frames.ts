import type { GameName, ServerMessage, View } from '../src/wire.gen';
import type { Page } from './people';

type ViewOf<G extends GameName> = Extract<View, Record<G, unknown>>[G];

/** Every view of a game that a page is sent. */
export function views<G extends GameName>(page: Page, game: G): ViewOf<G>[] {
  const seen: ViewOf<G>[] = [];
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload)) as ServerMessage;
      if (message.t !== 'update' || !message.view) return;
      const view = message.view as Partial<Record<GameName, unknown>>;
      if (game in view) seen.push(view[game] as ViewOf<G>);
    }),
  );
  return seen;
}

/** Everything in a page that somebody could read, hear or find by looking into its parts. */
export function wordsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const told = ['aria-label', 'aria-description', 'title', 'alt', 'value', 'data-value', 'data-testid'];
    const parts = [...document.querySelectorAll('body *')].flatMap((element) => {
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent ?? '');
      return [...own, ...told.flatMap((name) => element.getAttribute(name) ?? [])];
    });
    return parts.join('\n');
  });
}
