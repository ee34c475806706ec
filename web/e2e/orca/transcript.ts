import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GameName } from '../../src/wire.gen';

const PAGE = join(import.meta.dirname, '../../../docs/accessibility.md');

/** The transcript of a game in docs/accessibility.md: the block that begins with its name. */
const blockOf = (game: GameName) => new RegExp(`(\`\`\`text ${game}\\n)([^\`]*)(\`\`\`)`);

export function expected(game: GameName): string[] {
  const [, , text] = blockOf(game).exec(readFileSync(PAGE, 'utf8')) ?? [];
  if (text === undefined) throw new Error(`docs/accessibility.md has no block "\`\`\`text ${game}"`);
  return text.split('\n').slice(0, -1);
}

/** Puts what was said now in the place of what was said before. */
export function accept(game: GameName, lines: string[]): void {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(blockOf(game), (_, head: string, __, end: string) => `${head}${lines.map((line) => `${line}\n`).join('')}${end}`),
  );
}
