import { setTimeout as delay } from 'node:timers/promises';

/** The server comes back after a kill; one that has not by then does not. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 100;

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the shape of its answer
  body: any;
  /** How often it was asked in vain: an earlier request may have had its effect without an answer. */
  repeats: number;
}

export const DOCUMENTS = '/admin/api/v1/documents';
const DOUBLED = '/admin/api/v1/api/v1';
export const SEARCH = `${DOUBLED}/documentChunks/search`;
export const chunksOf = (documentId: string) => `${DOUBLED}/documents/${documentId}/documentChunks/`;
export const byExternalId = (externalId: string) => `${DOUBLED}/documents/byExternalId/${externalId}`;

export type Ask = ReturnType<typeof createAsk>;

/** Asks until there is an answer: every request is one that may be made twice. */
export function createAsk(address: string) {
  return async (
    method: string,
    route: string,
    { query = {}, body }: { query?: Record<string, string>; body?: object } = {},
  ): Promise<Answer> => {
    const url = new URL(`${route}?${new URLSearchParams(query)}`, address);
    const request = {
      method,
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    };
    const deadline = performance.now() + PATIENCE_MS;
    for (let repeats = 0; ; repeats++) {
      const answer = await once(url, request);
      const isSearchAway = answer?.status === 503 && route === SEARCH;
      if (answer && (answer.status !== 503 || isSearchAway)) return { ...answer, repeats };
      if (performance.now() > deadline) {
        throw new Error(`${method} ${url.pathname} had no answer for ${PATIENCE_MS / 1000} s.`);
      }
      await delay(PAUSE_MS);
    }
  };
}

async function once(url: URL, request: RequestInit) {
  try {
    const answer = await fetch(url, request);
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return undefined;
  }
}

export function expectOk({ status, body }: Answer): void {
  if (status < 200 || status > 299) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
}
