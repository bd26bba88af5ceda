import type { Meilisearch } from 'meilisearch';
import { withTimeout } from '../../async/timeouts.js';
import type { LiveIndexStatus, ServerStatus } from '../operations/search-operations.js';
import type { MeilisearchServer } from './connect.js';
import { diffSettings } from './diff-settings.js';
import { readIndexCheckpoint } from './ensure-index.js';
import { isApiError, toOperatorMessage } from './errors.js';

/** A status request must report a hanging server. */
const STATUS_TIMEOUT_MS = 5_000;

export interface ServerInspection
  extends ServerStatus,
    Pick<LiveIndexStatus, 'documents' | 'documentBytes' | 'settingsDifferences'> {
  isIndexMissing: boolean;
}

/** Inspects the search server; failures are part of the result. */
export async function inspectServer(server: MeilisearchServer): Promise<ServerInspection> {
  const inspection: ServerInspection = {
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
    await withStatusTimeout(inspect());
  } catch (error) {
    if (isApiError(error, 'index_not_found')) inspection.isIndexMissing = true;
    else inspection.error = toOperatorMessage(error);
  }
  return inspection;

  async function inspect(): Promise<void> {
    // The admin client needs no request; the other may have to fetch its key first.
    const any = server.adminClient ?? (await server.documentClient());
    const { status } = await any.health();
    if (status !== 'available') throw new Error('What answers at MEILI_URL is no Meilisearch server.');
    inspection.reachable = true;
    inspection.version = server.adminClient ? await readVersion(server.adminClient) : null;
    const index = (await server.documentClient()).index(server.indexUid);
    const { numberOfDocuments, rawDocumentDbSize } = await index.getStats();
    inspection.documents = numberOfDocuments - ((await readIndexCheckpoint(index)) ? 1 : 0);
    inspection.documentBytes = rawDocumentDbSize ?? null;
    inspection.settingsDifferences = (await diffSettings(index)).length;
  }
}

/** Requires the `version` permission. */
async function readVersion(admin: Meilisearch): Promise<string | null> {
  try {
    return (await admin.getVersion()).pkgVersion;
  } catch (error) {
    if (isApiError(error, 'invalid_api_key')) return null;
    throw error;
  }
}

/** @throws Error on timeout */
export const withStatusTimeout = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(
    STATUS_TIMEOUT_MS,
    work,
    `The search server does not answer within ${STATUS_TIMEOUT_MS / 1000} seconds.`,
  );

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
