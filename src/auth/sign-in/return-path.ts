const MAX_LENGTH = 1_000;
/** Whose paths are compared; it exists nowhere. */
const BASE = 'http://lectern.invalid';

/**
 * The path that somebody is sent to once it is signed in: one of the console, and never another server.
 *
 * @param isConsolePath whether the console has a page there
 * @returns `/` for everything else
 */
export function returnPathOf(given: string | undefined, isConsolePath: (path: string) => boolean): string {
  if (!given?.startsWith('/') || given.length > MAX_LENGTH || !URL.canParse(given, BASE)) return '/';
  // As browsers do, which read "\\" and "//" as the beginning of a host.
  const { origin, pathname, search } = new URL(given, BASE);
  return origin === BASE && isConsolePath(pathname) ? pathname + search : '/';
}

/** The same path for the tenant that somebody has signed in for; a unit is of the other one. */
export function withTenant(path: string, tenantId: string): string {
  const url = new URL(path, BASE);
  if (url.searchParams.get('tenant') === tenantId) return path;
  url.searchParams.set('tenant', tenantId);
  url.searchParams.delete('unit');
  return url.pathname + url.search;
}
