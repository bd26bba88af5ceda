import { existsSync } from 'node:fs';
import path from 'node:path';
import { openConfiguredStorage } from '../../../compose/storage.js';
import type { FileStorage } from '../../../storage/file-storage.js';
import { type Check, ok, problem } from '../check.js';

const PROBE = Buffer.from('A file of lectern doctor, which may be removed.');

/** Stores a file, reads it and removes it. */
export const checkStorage: Check = {
  name: 'file storage',
  async run({ config }) {
    const folder = config.storageUrl ? undefined : path.join(config.dataDir, 'files');
    if (folder && !existsSync(folder)) return ok(`${folder} is made with the first file.`);
    const storage = openConfiguredStorage(config);
    const place = config.storageUrl ?? `${folder}`;
    const advice = config.storageUrl
      ? 'Check STORAGE_URL, the credentials of the bucket, and what they may do: put, get, list and delete objects.'
      : 'Check the owner of the folder, and the space on its disk.';
    try {
      const isSame = await probe(storage);
      return isSame
        ? ok(`${place} can be written, read and deleted from.`)
        : problem(`${place} gives back other bytes than were stored.`, advice);
    } catch (error) {
      return problem(`${place} cannot be used: ${reasonOf(error)}`, advice);
    }
  },
};

async function probe(storage: FileStorage): Promise<boolean> {
  const bytes = async function* () {
    yield PROBE;
  };
  const { key } = await storage.write(bytes(), { maxBytes: PROBE.byteLength });
  try {
    let rest = PROBE;
    for await (const part of storage.read(key)) {
      if (!rest.subarray(0, part.length).equals(part)) return false;
      rest = rest.subarray(part.length);
    }
    return rest.length === 0;
  } finally {
    await storage.remove(key);
  }
}

/** The storage's own words, which its errors carry as their cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const reason = cause instanceof Error ? cause.message || cause.name : message;
  return reason.endsWith('.') ? reason : `${reason}.`;
}
