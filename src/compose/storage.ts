import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../config.js';
import type { FileStorage } from '../storage/file-storage.js';
import { openStorage } from '../storage/open-storage.js';

/** The storage of uploaded files: the configured one, else a folder in the data folder. */
export function openConfiguredStorage({ dataDir, storageUrl, s3Endpoint }: Config): FileStorage {
  const onDisk = pathToFileURL(path.join(dataDir, 'files')).href;
  return openStorage(storageUrl ?? onDisk, { s3Endpoint });
}
