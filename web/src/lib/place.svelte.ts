import type { Code } from '../wire.gen';
import { parse, type Route } from './router';

function here(): Route {
  return parse(location.pathname, location.search);
}

/** Where we are, kept in step with the address bar. */
export const place = $state<{ route: Route }>({ route: here() });

export function go(path: string): void {
  if (path !== location.pathname + location.search) history.pushState(null, '', path);
  place.route = here();
  scrollTo(0, 0);
}

/** Shows a table's new code in the address bar. The page stays as it is: it looks at the same table. */
export function showCode(code: Code): void {
  const path = location.pathname.replace(/^\/table\/[^/]+/, `/table/${code}`);
  if (path !== location.pathname) history.replaceState(null, '', path + location.search);
}

export function listenForLinks(): void {
  addEventListener('popstate', () => {
    place.route = here();
  });
  document.addEventListener('click', (event) => {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!plain || event.defaultPrevented || !(event.target instanceof Element)) return;
    const link = event.target.closest('a');
    if (!link || link.target !== '' || link.origin !== location.origin || link.hasAttribute('download')) return;
    if (parse(link.pathname).at === 'nowhere' || link.hash !== '') return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
