/** How somebody has come back from a provider without being signed in. */
export interface FailedArrival {
  code: string;
  providerId: string;
  /** To choose from, where the user has several. */
  tenantIds: string[];
}

/** Read before the router, which forgets it; the address is then as it was before. */
export const failedArrival = readArrival();

function readArrival(): FailedArrival | undefined {
  const about = new URLSearchParams(window.location.hash.slice(1));
  const code = about.get('sign-in');
  if (code === null) return undefined;
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', pathname + search);
  return { code, providerId: about.get('provider') ?? '', tenantIds: about.getAll('tenant') };
}
