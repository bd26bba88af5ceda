import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '../config/config.js';
import { checkBucket, checkFolder } from '../storage/check-storage.js';
import type { FileStorage } from '../storage/file-storage.js';
import { openStorage } from '../storage/open-storage.js';
import { reportFailures, type StorageOperation } from '../storage/report-failures.js';
import { traceStorage } from '../storage/trace-storage.js';

/** The storage of uploaded files: the configured one, else a folder in the data folder. */
export function openConfiguredStorage({
  dataDir,
  storageUrl,
  s3Endpoint,
  storageTimeoutMs,
}: Config): FileStorage {
  const url = storageUrl ?? pathToFileURL(path.join(dataDir, 'files')).href;
  return openStorage(url, { s3Endpoint, idleMs: storageTimeoutMs });
}

interface ServerStorageOptions {
  tempDir: string;
  isTraced: boolean;
  onFailure: (operation: StorageOperation) => void;
  log: Logger;
}

/**
 * Likewise for a server, which reports its failures.
 *
 * @throws DomainError `unavailable` where a folder cannot be written to, that of temporary files included
 */
export async function openServerStorage(
  config: Config,
  { tempDir, isTraced, onFailure, log }: ServerStorageOptions,
): Promise<FileStorage> {
  const storage = openConfiguredStorage(config);
  await checkFolder(tempDir, 'DATA_DIR', log);
  if (storage.pathOf) await checkFolder(storage.location, 'DATA_DIR or STORAGE_URL', log);
  else void checkBucket(storage, log);
  const reported = reportFailures(storage, { log, onFailure });
  const [kind = ''] = (config.storageUrl ?? 'file:').split(':');
  return isTraced ? traceStorage(reported, kind) : reported;
}
