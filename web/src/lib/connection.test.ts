import { beforeEach, describe, expect, it } from 'vitest';
import { PROTOCOL } from '../wire.gen';
import type { ServerMessage, Update } from '../wire.gen';
import { Connection, type ConnectionState, type Socket } from './connection';

class FakeSocket implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: Record<string, unknown>[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  welcome(): void {
    this.onopen?.();
    this.say({ t: 'welcome', protocol: PROTOCOL, me: { name: 'Ada' } });
  }
}

class World {
  sockets: FakeSocket[] = [];
  timers: { run: () => void; ms: number }[] = [];
  links: ConnectionState[] = [];
  heard: ServerMessage[] = [];
  known = true;
  connection = new Connection(
    {
      socket: () => this.#socket(),
      setTimeout: (run, ms) => {
        const timer = { run, ms };
        this.timers.push(timer);
        return timer;
      },
      clearTimeout: (handle) => {
        this.timers = this.timers.filter((timer) => timer !== handle);
      },
      random: () => 0.5,
      known: () => Promise.resolve(this.known),
    },
    { link: (link) => this.links.push(link), message: (message) => this.heard.push(message) },
  );

  get socket(): FakeSocket {
    return this.sockets.at(-1)!;
  }

  /** The next timer goes off. */
  tick(): number {
    const timer = this.timers.shift()!;
    timer.run();
    return timer.ms;
  }

  #socket(): FakeSocket {
    const socket = new FakeSocket();
    this.sockets.push(socket);
    return socket;
  }
}

const update = (ack?: number) => ({ t: 'update', code: 'k3f9ab', seq: 1, show_at: 0, ...(ack && { ack }) }) as Update;

let world: World;
beforeEach(() => {
  world = new World();
  world.connection.join('k3f9ab');
  world.connection.open();
});

describe('a connection', () => {
  it('says hello, then joins', () => {
    world.socket.welcome();
    expect(world.socket.sent).toEqual([
      { t: 'hello', protocol: PROTOCOL, client: 2 ** 31 },
      { t: 'join', table: 'k3f9ab' },
    ]);
    expect(world.links).toEqual(['connecting', 'open']);
  });

  it('settles a move when its update has been heard', async () => {
    world.socket.welcome();
    const answer = world.connection.do('k3f9ab', 4, 12.5, { mind: 'rest' });
    expect(world.socket.sent.at(-1)).toEqual({ t: 'do', table: 'k3f9ab', seq: 4, pressed: 12.5, command: { mind: 'rest' }, id: 1 });
    world.socket.say(update(1));
    expect(await answer).toBeNull();
  });

  it('joins by the code that leads to a table now', () => {
    world.connection.leave('k3f9ab');
    world.connection.join('m4n7pq');
    world.socket.welcome();
    world.socket.say({ t: 'found', code: 'm4n7pq', table: 'k3f9ab' });
    // The host has replaced the code.
    world.connection.joinBy('k3f9ab', 'x2y3z4');
    world.socket.onclose?.();
    world.tick();
    world.socket.welcome();
    expect(world.socket.sent.slice(1)).toEqual([{ t: 'join', table: 'x2y3z4' }]);
    world.socket.say({ t: 'found', code: 'x2y3z4', table: 'k3f9ab' });
    world.connection.leave('k3f9ab');
    expect(world.socket.sent.at(-1)).toEqual({ t: 'leave', table: 'k3f9ab' });
  });

  it('leaves a table that it has left before it was found', () => {
    world.connection.join('m4n7pq');
    world.socket.welcome();
    world.connection.leave('m4n7pq');
    world.socket.say({ t: 'found', code: 'm4n7pq', table: 'aaaaaa' });
    expect(world.socket.sent.at(-1)).toEqual({ t: 'leave', table: 'aaaaaa' });
  });

  it('settles a sign when all have been sent it', async () => {
    world.socket.welcome();
    const answer = world.connection.react('k3f9ab', 'heart');
    expect(world.socket.sent.at(-1)).toEqual({ t: 'react', table: 'k3f9ab', sign: 'heart', id: 1 });
    world.socket.say({ t: 'reacted', table: 'k3f9ab', seat: 'A', name: 'Ada', sign: 'heart' });
    expect(await answer).toBeNull();
  });

  it('gives a refusal back', async () => {
    world.socket.welcome();
    const answer = world.connection.ask('k3f9ab', 'start');
    world.socket.say({ t: 'refused', table: 'k3f9ab', id: 1, code: 'not-host', text: 'no' });
    expect(await answer).toEqual({ code: 'not-host', text: 'no' });
  });

  it('sends again what was not answered, with the same number and for the same page', async () => {
    world.socket.welcome();
    const answer = world.connection.do('k3f9ab', 4, 12.5, { mind: { play: 18 } });
    const [hello, , move] = world.socket.sent;
    world.socket.onclose?.();
    expect(world.links.at(-1)).toBe('waiting');
    world.tick();
    world.socket.welcome();
    expect(world.socket.sent).toEqual([hello, { t: 'join', table: 'k3f9ab' }, move]);
    world.socket.say(update(1));
    expect(await answer).toBeNull();
  });

  it('waits for the connection with what is asked meanwhile', () => {
    void world.connection.ask('k3f9ab', 'stand');
    expect(world.socket.sent).toEqual([]);
    world.socket.welcome();
    expect(world.socket.sent.map(({ t }) => t)).toEqual(['hello', 'join', 'ask']);
  });

  it('settles a chat message when it comes back', async () => {
    world.socket.welcome();
    const answer = world.connection.say('k3f9ab', 'hi');
    world.socket.say({ t: 'said', table: 'k3f9ab', seat: 'B', name: 'Ben', text: 'hello' });
    world.socket.say({ t: 'said', table: 'k3f9ab', seat: 'A', name: 'Ada', text: 'hi' });
    expect(await answer).toBeNull();
  });

  it('waits longer each time, but not for ever, and starts over once it was in', () => {
    const waits = Array.from({ length: 8 }, () => {
      world.socket.onclose?.();
      return world.tick();
    });
    expect(waits).toEqual([300, 600, 1200, 2400, 4800, 9600, 11250, 11250]);
    world.socket.welcome();
    world.socket.onclose?.();
    expect(world.tick()).toBe(300);
  });

  it('connects at once when the network is back', () => {
    world.socket.onclose?.();
    world.connection.wake();
    expect(world.sockets).toHaveLength(2);
    expect(world.timers).toEqual([]);
  });

  it('makes a socket that may have died in its sleep prove itself', () => {
    world.socket.welcome();
    world.connection.wake();
    expect(world.socket.sent.at(-1)).toEqual({ t: 'join', table: 'k3f9ab' });
    const dead = world.socket;
    expect(world.tick()).toBe(3000);
    expect(dead.closed).toBe(true);
    expect(world.sockets).toHaveLength(2);
  });

  it('keeps a socket that answers', () => {
    world.socket.welcome();
    world.connection.wake();
    world.socket.say(update());
    expect(world.timers).toEqual([]);
  });

  it('asks for a name when the server does not know it', async () => {
    world.known = false;
    world.socket.onclose?.();
    await Promise.resolve();
    await Promise.resolve();
    expect(world.links.at(-1)).toBe('nameless');
    expect(world.timers).toEqual([]);
  });

  it.each([
    ['protocol', 'outdated', 0],
    ['deleted', 'nameless', 0],
    ['signed-out', 'nameless', 0],
    ['blocked', 'blocked', 0],
    ['crowded', 'crowded', 1],
    ['restarting', 'waiting', 1],
    ['flooding', 'waiting', 1],
  ])('after a bye with %s is %s', (why, link, timers) => {
    world.socket.welcome();
    world.socket.say({ t: 'bye', why, text: '' });
    world.socket.onclose?.();
    expect(world.links.at(-1)).toBe(link);
    expect(world.timers).toHaveLength(timers);
  });

  it('says no more after it is closed', () => {
    world.socket.welcome();
    world.connection.close();
    expect(world.socket.closed).toBe(true);
    expect(world.links.at(-1)).toBe('closed');
    expect(world.timers).toEqual([]);
  });
});

it('joins an audience again after a reconnection, and does not send its old playback', async () => {
  const world = new World();
  const answers: unknown[] = [];
  world.connection.attend('k3f9ab-1', null, (answer) => answers.push(answer));
  world.connection.open();
  world.socket.welcome();
  expect(world.socket.sent.at(-1)).toEqual({ t: 'attend', game: 'k3f9ab-1', id: 1, key: null });
  world.socket.say({ t: 'audience', game: 'k3f9ab-1', ack: 1, members: [], lead: null, playback: null, show_at: 0 });
  const playback = { at: 0, moves: 0, playing: false, speed: 'true', point_of_view: 'open' } as const;
  const led = world.connection.askAudience('k3f9ab-1', { lead: playback });
  const said = world.connection.askAudience('k3f9ab-1', { remark: 'there!' });
  world.socket.onclose?.();
  world.tick();
  world.socket.welcome();
  expect(await led).toBeNull();
  expect(world.socket.sent.slice(1).map(({ t, id }) => [t, id])).toEqual([
    ['attend', 4],
    ['audience-request', 3],
  ]);
  world.socket.say({ t: 'refused', table: 'k3f9ab', id: 4, code: 'not-there', text: 'ask for a link' });
  world.socket.say({ t: 'refused', table: 'k3f9ab', id: 3, code: 'not-attending', text: 'look first' });
  expect(await said).toEqual({ code: 'not-attending', text: 'look first' });
  expect(answers).toEqual([null, { code: 'not-there', text: 'ask for a link' }]);
});
