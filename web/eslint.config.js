import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['node_modules', 'dist', 'shots', 'test-results', 'src/paraglide', 'src/fonts', 'src/wire.gen.ts'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  { languageOptions: { globals: { ...globals.browser, ...globals.node } } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      // TypeScript knows every name, and knows more of them than ESLint does.
      'no-undef': 'off',
      // An underscore marks what has to be named and is not used.
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.svelte'],
    rules: {
      // A module's variable is read by the instances of the component, which ESLint does not see.
      'no-useless-assignment': 'off',
      // svelte-check decides which of its warnings are ignored.
      'svelte/no-unused-svelte-ignore': 'off',
    },
  },
  // Playwright finds the fixtures that a fixture needs in its first parameter, even if there are none.
  { files: ['e2e/**'], rules: { 'no-empty-pattern': 'off' } },
);
