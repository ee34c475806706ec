import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { groups } from './build/chunks';
import { compress } from './build/compress';
import { fonts } from './build/fonts';
import { languageParts, languages } from './build/languages';
import { rules } from './build/rules';
import { defineConfig } from 'vitest/config';

/** The game server that pages under development talk to. */
const server = process.env['UNSPOKEN_SERVER'] ?? 'http://127.0.0.1:8080';
const proxy = {
  '/api': server,
  '/ws': { target: server.replace(/^http/, 'ws'), ws: true },
};

const messages = paraglideVitePlugin({
  project: './project.inlang',
  outdir: './src/paraglide',
  outputStructure: 'locale-modules',
  strategy: ['localStorage', 'preferredLanguage', 'baseLocale'],
});

export default defineConfig({
  // Tests find the messages compiled already, where the plugin would go on watching them, and need no fonts.
  plugins: [process.env['VITEST'] ? languageParts() : [messages, languages(), fonts()], rules(), svelte(), compress()],
  server: { proxy, strictPort: true },
  preview: { proxy, strictPort: true },
  // Files find each other below any path; only the index names addresses, which the server adapts.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === 'html' ? undefined : { relative: true }) },
  build: {
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: groups() } } },
  },
  test: { include: ['src/**/*.test.ts', 'build/**/*.test.ts'] },
});
