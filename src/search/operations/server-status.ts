import { setTimeout as delay } from 'node:timers/promises';
import type { Meilisearch } from 'meilisearch';
import { readCheckpointOf } from '../keeping/ensure-index.js';
import type { SearchServer } from '../meilisearch/connect.js';
import { explainError, isApiError } from '../meilisearch/errors.js';
import { readDifferences } from '../meilisearch/settings.js';
import type { SearchedIndex, ServerStatus } from '../operations.js';

/** Whoever asks how things are wants to hear that a server hangs. */
const MAX_WAIT_MS = 5_000;

export interface Seen
  extends ServerStatus,
    Pick<SearchedIndex, 'documents' | 'documentBytes' | 'settingsDifferences'> {
  isIndexMissing: boolean;
}

/** Looks at the search server as far as it lets us; what goes wrong is part of what is seen. */
export async function lookAtServer(server: SearchServer): Promise<Seen> {
  const seen: Seen = {
    url: withoutPassword(server.url),
    reachable: false,
    error: null,
    version: null,
    documents: null,
    documentBytes: null,
    settingsDifferences: null,
    isIndexMissing: false,
  };
  try {
    await inTime(look());
  } catch (error) {
    if (isApiError(error, 'index_not_found')) seen.isIndexMissing = true;
    else seen.error = explainError(error);
  }
  return seen;

  async function look(): Promise<void> {
    // The admin's client is there without a request; the other may have to fetch its key first.
    const any = server.admin ?? (await server.working());
    const { status } = await any.health();
    if (status !== 'available') throw new Error('What answers at MEILI_URL is no Meilisearch server.');
    seen.reachable = true;
    seen.version = server.admin ? await readVersion(server.admin) : null;
    const index = (await server.working()).index(server.uid);
    const { numberOfDocuments, rawDocumentDbSize } = await index.getStats();
    seen.documents = numberOfDocuments - ((await readCheckpointOf(index)) ? 1 : 0);
    seen.documentBytes = rawDocumentDbSize ?? null;
    seen.settingsDifferences = (await readDifferences(index)).length;
  }
}

/** A key that may do much, but not everything, is not told. */
async function readVersion(admin: Meilisearch): Promise<string | null> {
  try {
    return (await admin.getVersion()).pkgVersion;
  } catch (error) {
    if (isApiError(error, 'invalid_api_key')) return null;
    throw error;
  }
}

/** @throws Error when it takes longer than anybody waits; the work itself is not stopped */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = delay(MAX_WAIT_MS, undefined, { signal: done.signal }).then(() => {
    throw new Error(`The search server does not answer within ${MAX_WAIT_MS / 1000} seconds.`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
  }
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
