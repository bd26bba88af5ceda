import { sql } from 'kysely';
import { generateTenantToken } from 'meilisearch/token';
import type { Database } from '../../../db/schema.js';
import { conflict } from '../../errors/errors.js';
import type { MeilisearchServer } from './connect.js';
import { searchUnavailable } from './errors.js';
import { createHasher } from './hashes.js';
import { hasFormerDocuments, readIndexState } from './index-state.js';
import { type Reach, toReadFilter } from './read-filter.js';

const LIFETIME_MS = 5 * 60_000;
/** While a change waits longer than that, text that was deleted may still be in the index. */
const MAX_DELAY = '60 seconds';

/** With what a front end asks the search server itself. */
export interface SearchToken {
  url: string;
  indexUid: string;
  token: string;
  expiresTime: Date;
}

/**
 * A token for searches within reach, and no more: its rules are part of each search, whatever that says.
 *
 * @param server undefined where PostgreSQL searches
 * @param latest when it expires at the latest
 * @throws DomainError `conflict` where tokens are not configured; `unavailable` where the index is behind
 */
export async function createSearchToken(
  { db, server, clock }: { db: Database; server: MeilisearchServer | undefined; clock: () => Date },
  reach: Reach,
  latest: Date | null,
): Promise<SearchToken> {
  if (!server) throw conflict('There are no search tokens: Meilisearch is not configured.', []);
  if (!server.publicUrl) throw conflict('There are no search tokens: MEILI_PUBLIC_URL is not set.', []);
  const hashSecret = await readSecret(db, reach);
  const key = await readKey(server);
  const expiresAt = new Date(Math.min(clock().getTime() + LIFETIME_MS, latest?.getTime() ?? Infinity));
  const filter = toReadFilter(reach, createHasher(hashSecret)).join(' AND ');
  const { publicUrl: url, indexUid } = server;
  const token = await generateTenantToken({
    apiKey: key.key,
    apiKeyUid: key.uid,
    searchRules: { [indexUid]: { filter } },
    expiresAt,
  });
  // It counts whole seconds.
  return { url, indexUid, token, expiresTime: new Date(Math.floor(expiresAt.getTime() / 1000) * 1000) };
}

/** @throws DomainError `unavailable` where the index is incomplete, or has what was deleted a while ago */
async function readSecret(db: Database, { tenantId }: Reach): Promise<string> {
  const state = await readIndexState(db);
  const { rows } = await sql<{ isBehind: boolean }>`
    select exists (
      select from search_outbox
      where tenant_id = ${tenantId} and not filling and queued_time < now() - ${MAX_DELAY}::interval) as is_behind
  `.execute(db);
  if (!state || state.filling || hasFormerDocuments(state) || rows[0]?.isBehind) {
    throw searchUnavailable(new Error('The index is behind the database.'));
  }
  return state.hashSecret;
}

async function readKey(server: MeilisearchServer): Promise<{ uid: string; key: string }> {
  const key = await server.tokenKey().catch((error) => {
    throw searchUnavailable(error);
  });
  if (key) return key;
  throw conflict(
    'There are no search tokens: the search server has no keys, or MEILI_TOKEN_KEY is not set.',
    [],
  );
}
