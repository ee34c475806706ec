import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import type { Plugin } from 'vite';

const FOLDER = join(import.meta.dirname, '../../docs/rules');

/** Makes a page of `docs/rules` a module of ready HTML, as in `import html from 'rules:mind'`. */
export function rules(): Plugin {
  const PREFIX = 'rules:';
  return {
    name: 'rules',
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const path = join(FOLDER, `${id.slice(PREFIX.length + 1)}.md`);
      this.addWatchFile(path);
      return `export default ${JSON.stringify(rendered(readFileSync(path, 'utf8')))};`;
    },
  };
}

/** From this heading on a page is about tests and codes, not about playing. */
const DEVELOPERS = /^## For developers$/m;

/** A page of the rules as HTML, without its title, which the site has, and without the part for developers. */
export function rendered(markdown: string): string {
  const [text, ...rest] = markdown.replace(/^# .*\n/, '').split(DEVELOPERS);
  if (text === undefined || rest.length !== 1) throw new Error('a rules page has one heading "## For developers"');
  const marked = new Marked({
    renderer: {
      link({ href, text }) {
        const [, game] = /^([a-z]+)\.md/.exec(href) ?? [];
        return `<a href="${game ? `/rules/${game}` : href}">${text}</a>`;
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
