import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';

const FOLDER = join(import.meta.dirname, '../../docs/rules');

/** The languages that the rules are written in. English is in `docs/rules`, each other one in a folder there. */
export const LANGUAGES = ['en', 'fr', 'de', 'es', 'it'] as const;
type Language = (typeof LANGUAGES)[number];

/**
 * Makes the pages of `docs/rules` modules of ready HTML. `import pages from 'rules:mind'` is a loader for
 * each language, so that only the one that is read is fetched.
 */
export function rules(): Plugin {
  const PREFIX = 'rules:';
  return {
    name: 'rules',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const [game, language] = id.slice(PREFIX.length + 1).split('/') as [string, Language | undefined];
      if (!language) {
        const loaders = LANGUAGES.map((each) => `${each}: () => import('${PREFIX}${game}/${each}')`);
        return `export default { ${loaders.join(', ')} };`;
      }
      this.addWatchFile(pathOf(game, language));
      return `export default ${JSON.stringify(rendered(readFileSync(pathOf(game, language), 'utf8'), language))};`;
    },
  };
}

export function pathOf(game: string, language: Language): string {
  return join(FOLDER, language === 'en' ? '' : language, `${game}.md`);
}

/** From this heading on a page is about tests and codes, not about playing. Translations end before it. */
const DEVELOPERS = /^## For developers$/m;

/** A page of the rules as HTML, without its title, which the site has, and without the part for developers. */
export function rendered(markdown: string, language: Language): string {
  const [text, ...rest] = markdown.replace(/^# .*\n/, '').split(DEVELOPERS);
  if (language === 'en' && rest.length !== 1) throw new Error('a rules page has one heading "## For developers"');
  if (text === undefined || (language !== 'en' && rest.length > 0)) throw new Error('a translation has no part for developers');
  const marked = new Marked({
    renderer: {
      link({ href, text }) {
        const [, game] = /^([a-z]+)\.md/.exec(href) ?? [];
        // Pages of rules stand beside each other, below whatever path the server has.
        return `<a href="${game ?? href}">${text}</a>`;
      },
      table(token) {
        const cell = ({ text, tokens, header }: Tokens.TableCell) => {
          // A head without a word is no head.
          const tag = header && text !== '' ? 'th' : 'td';
          return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        };
        const head = token.header.map(cell).join('');
        const body = token.rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('');
        return `<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
      },
    },
  });
  return marked.parse(text, { async: false });
}
