import { randomUUID } from 'node:crypto';
import type { SearchServerConfig } from '../../src/config/config.js';
import { startMeilisearch } from './meilisearch/server.js';

/** A search server for the tests of one file: the real one at MEILI_URL where that is set, else a double. */
export async function openSearchServer(): Promise<{ config: SearchServerConfig; close(): Promise<void> }> {
  const { MEILI_URL, MEILI_ADMIN_KEY } = process.env;
  const prefix = `test_${randomUUID()}_`;
  const options = { apiKey: undefined, prefix, searchTimeoutMs: 5_000 };
  if (!MEILI_URL) {
    const double = await startMeilisearch();
    return {
      config: { ...options, url: double.url, adminKey: double.masterKey },
      close: () => double.close(),
    };
  }
  const remove = async () => {
    const headers = { authorization: `Bearer ${MEILI_ADMIN_KEY}` };
    const answer = await fetch(`${MEILI_URL}/indexes?limit=1000`, { headers });
    const { results } = (await answer.json()) as { results: { uid: string }[] };
    for (const { uid } of results) {
      if (uid.startsWith(prefix)) await fetch(`${MEILI_URL}/indexes/${uid}`, { method: 'DELETE', headers });
    }
  };
  return { config: { ...options, url: MEILI_URL, adminKey: MEILI_ADMIN_KEY }, close: remove };
}
