import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * A network that takes its time: a SOCKS proxy on loopback which hands everything on a while later,
 * in order. A browser context that is given it reaches the server at the same address as everyone.
 */
export class Network {
  #server: Server;
  #sockets = new Set<Socket>();
  #oneWayMs: number;
  #frozen: (() => void)[] | null = null;

  private constructor(oneWayMs: number) {
    this.#oneWayMs = oneWayMs;
    this.#server = createServer((socket) => void this.#greet(socket));
  }

  static async open(oneWayMs: number): Promise<Network> {
    const network = new Network(oneWayMs);
    await new Promise<void>((listening) => network.#server.listen(0, '127.0.0.1', listening));
    return network;
  }

  /** What a browser context is given as its `proxy`. */
  get proxy(): { server: string; bypass: string } {
    const { port } = this.#server.address() as AddressInfo;
    return { server: `socks5://127.0.0.1:${port}`, bypass: '<-loopback>' };
  }

  /** Nothing arrives any more, or everything that was on its way. */
  freeze(frozen: boolean): void {
    const held = this.#frozen ?? [];
    this.#frozen = frozen ? held : null;
    if (!frozen) held.forEach((arrive) => arrive());
  }

  close(): void {
    this.#sockets.forEach((socket) => socket.destroy());
    this.#server.close();
  }

  async #greet(near: Socket): Promise<void> {
    this.#keep(near);
    await read(near, 3);
    near.write(Uint8Array.of(5, 0));
    const far = connect(await wished(near));
    this.#keep(far);
    near.write(Uint8Array.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
    this.#carry(near, far);
    this.#carry(far, near);
  }

  #keep(socket: Socket): void {
    socket.setNoDelay(true);
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // A browser that hangs up in the middle is nothing to talk about.
    socket.on('error', () => socket.destroy());
  }

  #carry(from: Socket, to: Socket): void {
    const later = (arrive: () => void) => {
      setTimeout(() => (this.#frozen ? this.#frozen.push(arrive) : arrive()), this.#oneWayMs);
    };
    from.on('data', (bytes) => later(() => to.writable && to.write(bytes)));
    from.on('close', () => later(() => to.destroy()));
  }
}

/** Where a SOCKS client wants to go: browsers name a host, Node an address. */
async function wished(socket: Socket): Promise<{ host: string; port: number }> {
  const [, , , kind] = await read(socket, 4);
  const host = kind === 3 ? (await read(socket, (await read(socket, 1))[0]!)).toString() : (await read(socket, 4)).join('.');
  return { host, port: (await read(socket, 2)).readUInt16BE() };
}

/** The next bytes of a connection. */
async function read(socket: Socket, count: number): Promise<Buffer> {
  return new Promise((heard) => {
    const listen = () => {
      const bytes = socket.read(count) as Buffer | null;
      if (!bytes) return;
      socket.off('readable', listen);
      heard(bytes);
    };
    socket.on('readable', listen);
    listen();
  });
}
