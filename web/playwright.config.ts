import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { LAUNCH } from './build/chromium.js';

/**
 * Stories in a real browser, against a server of their own: the program named by UNSPOKEN_BIN, with
 * a fresh file and a free port, or one that runs already at UNSPOKEN_URL.
 */
const program = process.env['UNSPOKEN_BIN'];
const running = process.env['UNSPOKEN_URL'];
if (!program && !running) throw new Error('name the server with UNSPOKEN_BIN, as in UNSPOKEN_BIN=../target/release/unspoken');
// Workers read this file again and have to come to the same port.
const port = (process.env['UNSPOKEN_E2E_PORT'] ??= String(20_000 + Math.floor(Math.random() * 20_000)));
const url = running ?? `http://127.0.0.1:${port}`;
const data = () => join(mkdtempSync(join(tmpdir(), 'unspoken-e2e-')), 'tables.db');

/** A browser that is not on the bus of the screen reader, which would read it, too. */
const unheard = { ...LAUNCH, env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' } as Record<string, string> };

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // Only a story that hangs takes longer, also on a slow machine.
  timeout: 240_000,
  // Browsers that share two cores take their time now and then.
  expect: { timeout: 20_000 },
  workers: 3,
  fullyParallel: true,
  // Where milliseconds count, nothing else runs; --no-deps runs that alone.
  projects: [
    { name: 'stories', testIgnore: ['fair.spec.ts', 'orca/**'] },
    { name: 'fair', testMatch: 'fair.spec.ts', dependencies: ['stories'], workers: 1 },
    // `cargo xtask orca` makes the display and the message bus that these need.
    ...(process.env['UNSPOKEN_ORCA']
      ? [{ name: 'orca', testMatch: 'orca/orca.spec.ts', workers: 1, use: { launchOptions: unheard } }]
      : []),
  ],
  reporter: [['list']],
  use: {
    baseURL: url,
    browserName: 'chromium',
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    launchOptions: LAUNCH,
  },
  ...(running
    ? {}
    : {
        webServer: {
          command: [
            `"${program}" serve --listen 127.0.0.1:${port} --metrics 127.0.0.1:0 --data "${data()}"`,
            // Browsers that share two cores are slow to answer; stories about networks have servers of their own.
            '--deals stories --silent-ms 20000 --claim-ms-max 5000 --address-rate 5000/1000 --table-rate 1000/100 --newcomer-rate 100000/100000 --guess-rate 1000/1000 --address-byte-rate 1000000000/1000000',
          ].join(' '),
          url: `${url}/readyz`,
          stdout: 'ignore' as const,
          stderr: 'ignore' as const,
        },
      }),
});
