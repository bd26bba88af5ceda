import { Meilisearch } from 'meilisearch';
import { isAuthError } from './errors.js';
import { ensureServerKey } from './keys.js';

/** Indexing is waited for by asking again, so that no single request takes long. */
const DOCUMENT_TIMEOUT_MS = 30_000;

export interface MeilisearchOptions {
  url: string;
  /** May search and write documents; neither make nor delete indexes. */
  apiKey?: string | undefined;
  /** May do everything, the making of keys included. */
  adminKey?: string | undefined;
  /** Begins the names of all indexes. */
  prefix: string;
  searchTimeoutMs: number;
}

export interface MeilisearchServer {
  url: string;
  prefix: string;
  /** The index that is searched. */
  indexUid: string;
  /** For searches: gives up early. */
  searchClient(): Promise<Meilisearch>;
  /** For writing documents, and for looking. */
  documentClient(): Promise<Meilisearch>;
  /** For making, changing and deleting indexes; absent where the server may not. */
  adminClient: Meilisearch | undefined;
  /** To be told of errors: a server that came back without its keys needs a new one. */
  reportError(error: unknown): void;
}

/**
 * A Meilisearch server. Nothing is sent before the first use.
 *
 * With an admin key alone, a key that may do no more than searching and writing documents is made with it and used for
 * these. With no key at all, the server is taken for one that asks for none.
 */
export function connectMeilisearch(options: MeilisearchOptions): MeilisearchServer {
  const { url, apiKey, adminKey, prefix } = options;
  // With a signal of the caller's own the client would ignore its timeout, so no call is given one.
  const client = (key: string | undefined, timeout: number) =>
    new Meilisearch({ host: url, ...(key !== undefined && { apiKey: key }), timeout });
  const isUnauthenticated = apiKey === undefined && adminKey === undefined;
  const admin =
    adminKey !== undefined || isUnauthenticated ? client(adminKey, DOCUMENT_TIMEOUT_MS) : undefined;

  let clients: Promise<{ searching: Meilisearch; working: Meilisearch }> | undefined;
  const open = async () => {
    // Searches may be waiting for the key.
    const keyClient = client(adminKey, options.searchTimeoutMs);
    const key = apiKey ?? (isUnauthenticated ? undefined : await ensureServerKey(keyClient, prefix));
    return { searching: client(key, options.searchTimeoutMs), working: client(key, DOCUMENT_TIMEOUT_MS) };
  };
  const opened = () => {
    clients ??= open().catch((error) => {
      clients = undefined;
      throw error;
    });
    return clients;
  };

  return {
    url,
    prefix,
    indexUid: `${prefix}chunks`,
    searchClient: async () => (await opened()).searching,
    documentClient: async () => (await opened()).working,
    adminClient: admin,
    reportError: (error) => {
      if (isAuthError(error)) clients = undefined;
    },
  };
}
