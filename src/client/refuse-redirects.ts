type Fetch = typeof globalThis.fetch;

/**
 * A `fetch` that follows no redirect: it would carry the API key along, to wherever the answer says.
 *
 * @throws Error for an answer that redirects
 */
export const refuseRedirects =
  (fetch: Fetch): Fetch =>
  async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    // Browsers tell neither the status nor the address.
    const isRedirect =
      response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
    if (!isRedirect || response.status === 304) return response;
    await response.body?.cancel();
    const target = response.headers.get('Location') ?? 'another address';
    throw new Error(`The server redirects to ${target}, where the API key is not sent. Is its url right?`);
  };
