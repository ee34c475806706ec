import { GAMES, PLAYERS } from '../src/lib/games';
import { setupOf } from '../src/lib/setups';
import type { Preset } from '../src/lib/api';
import type { Setup } from '../src/wire.gen';
import { expect, test } from './people';

const PRESETS: Preset[] = ['faithful', 'friendly', 'research'];

test('the form starts from what the server deals out', async ({ person, baseURL }) => {
  const page = await person('Ada');
  await page.goto('/');
  for (const game of GAMES) {
    for (const players of PLAYERS[game]) {
      for (const preset of PRESETS) {
        const answer = await page.request.post('/api/tables', { data: { game, players, preset }, headers: { origin: baseURL! } });
        const { table } = (await answer.json()) as { table: string };
        const setup = await page.evaluate(setupAt, table);
        expect(setup, `${game} ${players} ${preset}`).toEqual(setupOf(game, players, preset));
      }
    }
  }
});

/** Runs in the page: the set-up of a table, as somebody who looks at it is told. */
function setupAt(table: string): Promise<Setup> {
  return new Promise((resolve) => {
    const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + '/ws');
    socket.onopen = () => {
      socket.send(JSON.stringify({ t: 'hello', protocol: 1, client: 1 }));
      socket.send(JSON.stringify({ t: 'join', table }));
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as { t: string; table: { setup: Setup } };
      if (message.t !== 'update') return;
      socket.close();
      resolve(message.table.setup);
    };
  });
}
