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
