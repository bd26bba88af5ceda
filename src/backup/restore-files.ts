import { invalid } from '../errors/errors.js';
import type { FileStorage } from '../storage/file-storage.js';
import { FILES_AT_ONCE } from './copy-files.js';
import { eachAtOnce } from './each-at-once.js';
import { readFileList } from './file-list.js';
import { type BackupManifest, placeOf } from './manifest.js';
import { openFile } from './open-file.js';
import type { OnProgress } from './progress.js';

/** Stores the files under the names that they had, which rows have for them. */
export async function restoreFiles(
  { files }: BackupManifest,
  {
    folder,
    storage,
    onProgress,
  }: { folder: string; storage: Pick<FileStorage, 'write'>; onProgress: OnProgress },
): Promise<void> {
  let done = 0;
  await eachAtOnce(FILES_AT_ONCE, readFileList(folder), async ({ key, sizeBytes, sha256 }) => {
    const { bytes } = await openFile(folder, placeOf(key));
    const writing = storage.write(bytes, { key, maxBytes: sizeBytes });
    const stored = await writing.finally(() => bytes.destroy());
    if (stored.sha256 !== sha256) throw invalid(`${placeOf(key)} has changed since it was verified.`, []);
    onProgress({ label: 'files', done: ++done, total: files.count, unit: 'file' });
  });
}
