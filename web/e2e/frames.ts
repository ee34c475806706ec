import type { GameName, Seat, ServerMessage, View } from '../src/wire.gen';
import type { Page } from './people';

type ViewOf<G extends GameName> = Extract<View, Record<G, unknown>>[G];
/** A view, and the seat that was sent it. */
export type SentView<G extends GameName> = ViewOf<G> & { seat: Seat | null };

/** Every view of a game that a page is sent. */
export function views<G extends GameName>(page: Page, game: G): SentView<G>[] {
  const seen: SentView<G>[] = [];
  let seat: Seat | null = null;
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const message = JSON.parse(String(payload)) as ServerMessage;
      if (message.t !== 'update') return;
      if (message.table) seat = message.you ?? null;
      if (!message.view) return;
      const view = message.view as Partial<Record<GameName, unknown>>;
      if (game in view) seen.push({ ...(view[game] as object), seat } as SentView<G>);
    }),
  );
  return seen;
}

/** Everything in a page that a person could read, hear or find by looking into its parts. */
export function wordsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const attributes = ['aria-label', 'aria-description', 'title', 'alt', 'value', 'data-value', 'data-testid'];
    const parts = [...document.querySelectorAll('body *')].flatMap((element) => {
      const own = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent ?? '');
      return [...own, ...attributes.flatMap((name) => element.getAttribute(name) ?? [])];
    });
    return parts.join('\n');
  });
}
