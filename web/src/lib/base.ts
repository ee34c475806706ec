/**
 * The path below which the server is reached: '' at the root, as in '/games/unspoken' elsewhere. The
 * server writes it into the addresses of the index.
 */
export const BASE = basePath();

function basePath(): string {
  const manifest = globalThis.document?.querySelector<HTMLLinkElement>('link[rel=manifest]');
  return manifest ? new URL('.', manifest.href).pathname.replace(/\/$/, '') : '';
}

/** The address of a place or file of this server, as in `to('/table/k3f9ab')`. */
export function to(path: string): string {
  return BASE + path;
}

/** The whole address, with which others come here. */
export function linkTo(path: string): string {
  return location.origin + to(path);
}

/** What an address on this host is below the base path; `null` outside of it. */
export function below(pathname: string, base = BASE): string | null {
  if (!pathname.startsWith(base)) return null;
  const rest = pathname.slice(base.length);
  return rest === '' ? '/' : rest.startsWith('/') ? rest : null;
}
