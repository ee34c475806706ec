import type { Code } from '../wire.gen';
import { below, to } from './base';
import { parse, type Route } from './router';

function here(): Route {
  return routeAt(location);
}

function routeAt({ pathname, search }: { pathname: string; search: string }): Route {
  const path = below(pathname);
  return path === null ? { at: 'nowhere' } : parse(path, search);
}

/** Where we are, kept in step with the address bar. */
export const place = $state<{ route: Route }>({ route: here() });

/** Goes to a place below the base path, as in `go('/table/k3f9ab')`. */
export function go(path: string): void {
  goTo(to(path));
}

function goTo(address: string): void {
  if (address !== location.pathname + location.search) history.pushState(null, '', address);
  place.route = here();
  scrollTo(0, 0);
}

/** Shows a table's new code in the address bar. The page stays as it is: it looks at the same table. */
export function showCode(code: Code): void {
  const here = below(location.pathname);
  const path = here?.replace(/^\/table\/[^/]+/, `/table/${code}`);
  if (path !== undefined && path !== here) history.replaceState(null, '', to(path) + location.search);
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
    if (routeAt(link).at === 'nowhere' || link.hash !== '') return;
    event.preventDefault();
    goTo(link.pathname + link.search);
  });
}
