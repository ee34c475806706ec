import type { Page, WebSocketRoute } from '@playwright/test';

/** A network that can be cut: open connections break, and new ones are not let through. */
export async function cuttable(page: Page) {
  const open = new Set<WebSocketRoute>();
  let cut = false;
  let refused = 0;
  await page.routeWebSocket('**/ws', (socket) => {
    if (cut) {
      refused += 1;
      return void socket.close();
    }
    socket.connectToServer();
    open.add(socket);
  });
  return {
    async cut() {
      cut = true;
      await Promise.all([...open].map((socket) => socket.close()));
      open.clear();
    },
    /** How many connections were not let through. */
    refused: () => refused,
    mend() {
      cut = false;
    },
  };
}
