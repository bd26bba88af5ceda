import type { Config, Meilisearch } from 'meilisearch';
import { isAuthError } from './errors.js';
import { ensureKey, serverKeySpec, tokenKeySpec } from './keys.js';
import { openClient } from './open-client.js';

/** Tasks are polled, so no single request takes long. */
const DOCUMENT_TIMEOUT_MS = 30_000;
const TOKEN_KEY_CHECK_MS = 60_000;
/**
 * A compressed answer is sent in several writes, the last of which waits until the one before has been acknowledged:
 * 40 ms (Nagle's algorithm and delayed acknowledgements).
 */
const UNCOMPRESSED = { headers: { 'accept-encoding': 'identity' } };
/** The most ids that a search asks for take 2.7 MB. */
const MAX_SEARCH_BYTES = 4 * 2 ** 20;

export interface MeilisearchOptions {
  url: string;
  /** Permits search and document writes, but not index creation or deletion. */
  apiKey?: string | undefined;
  /** Permits everything, including key creation. */
  adminKey?: string | undefined;
  /** Prefix of all index names. */
  prefix: string;
  searchTimeoutMs: number;
  /** Names of the custom properties of documents that the index has. */
  propertyNames?: readonly string[];
  /** Where front ends reach the server; they get no tokens if undefined. */
  publicUrl?: string | undefined;
  /** Signs their tokens; created with the admin key if undefined. */
  tokenKey?: string | undefined;
}

export interface MeilisearchServer {
  url: string;
  prefix: string;
  propertyNames: readonly string[];
  /** The index that is searched. */
  indexUid: string;
  /** For searches, with a short timeout. */
  searchClient(): Promise<Meilisearch>;
  /** For document writes and reads. */
  documentClient(): Promise<Meilisearch>;
  publicUrl: string | undefined;
  /** The key that signs tokens of front ends; undefined without an admin key, and on a server without keys. */
  tokenKey(): Promise<{ uid: string; key: string } | undefined>;
  /** For creating, changing and deleting indexes; undefined without an admin key. */
  adminClient: Meilisearch | undefined;
  /** To be called with errors: after an authentication error a new key is created. */
  reportError(error: unknown): void;
}

/**
 * A Meilisearch server. Connects lazily.
 *
 * With an admin key alone, a key that may do no more than searching and writing documents is made with it and
 * used for these. With no key at all, requests are sent without authentication.
 */
export function connectMeilisearch(options: MeilisearchOptions): MeilisearchServer {
  const { url, apiKey, adminKey, prefix } = options;
  // With a signal of the caller's own the client would ignore its timeout, so no call is given one.
  const config = (key: string | undefined, timeout: number): Config => ({
    host: url,
    ...(key !== undefined && { apiKey: key }),
    timeout,
  });
  const client = (...of: Parameters<typeof config>) => openClient(config(...of));
  const isUnauthenticated = apiKey === undefined && adminKey === undefined;
  const admin =
    adminKey !== undefined || isUnauthenticated ? client(adminKey, DOCUMENT_TIMEOUT_MS) : undefined;

  let clients: Promise<{ searching: Meilisearch; working: Meilisearch }> | undefined;
  const open = async () => {
    // Searches may wait for the key, so their timeout applies.
    const keyClient = client(adminKey, options.searchTimeoutMs);
    const key = apiKey ?? (isUnauthenticated ? undefined : await ensureKey(keyClient, serverKeySpec(prefix)));
    return {
      searching: openClient(
        { ...config(key, options.searchTimeoutMs), requestInit: UNCOMPRESSED },
        MAX_SEARCH_BYTES,
      ),
      working: client(key, DOCUMENT_TIMEOUT_MS),
    };
  };
  const opened = () => {
    clients ??= open().catch((error) => {
      clients = undefined;
      throw error;
    });
    return clients;
  };

  let tokenKey: { key: Promise<string | undefined>; since: number } | undefined;
  async function readTokenKey() {
    const spec = tokenKeySpec(prefix);
    // Somebody may have deleted it meanwhile, to make tokens invalid.
    if (!tokenKey || performance.now() - tokenKey.since > TOKEN_KEY_CHECK_MS) {
      const admins = client(adminKey, options.searchTimeoutMs);
      const key = Promise.resolve(options.tokenKey ?? (admin && ensureKey(admins, spec)));
      tokenKey = { key, since: performance.now() };
      key.catch(() => {
        tokenKey = undefined;
      });
    }
    const key = await tokenKey.key;
    return key === undefined ? undefined : { uid: spec.uid, key };
  }

  return {
    url,
    prefix,
    propertyNames: options.propertyNames ?? [],
    indexUid: `${prefix}chunks`,
    searchClient: async () => (await opened()).searching,
    documentClient: async () => (await opened()).working,
    publicUrl: options.publicUrl,
    tokenKey: readTokenKey,
    adminClient: admin,
    reportError: (error) => {
      if (isAuthError(error)) clients = undefined;
    },
  };
}
