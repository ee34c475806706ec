import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server that runs: where its page is, and what its operator can do. */
interface Server {
  url: string;
  operate: (...words: string[]) => void;
  stop: () => void;
}

/** A server of its own, with options of its own. */
export async function serve(...options: string[]): Promise<Server> {
  const data = join(mkdtempSync(join(tmpdir(), 'unspoken-e2e-')), 'tables.db');
  const words = ['serve', '--listen', '127.0.0.1:0', '--metrics', '127.0.0.1:0', '--data', data, ...options];
  const program = spawn(process.env['UNSPOKEN_BIN']!, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  for await (const line of createInterface(program.stdout)) {
    const url = /listens at (\S+)/.exec(line)?.[1];
    const operate = (...words: string[]) => void execFileSync(process.env['UNSPOKEN_BIN']!, [...words, '--data', data]);
    if (url) return { url, operate, stop: () => program.kill() };
  }
  throw new Error('the server did not start');
}
