import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { tooLarge } from '../errors.js';
import type { FileStorage } from './file-storage.js';

/** Files in a folder, spread over 256 subfolders by the first two characters of their random names. */
export function createLocalDisk(root: string): FileStorage {
  const locate = (key: string) => path.join(root, key.slice(0, 2), key);

  return {
    async write(source, { maxBytes }) {
      const key = randomUUID();
      const target = locate(key);
      const partial = `${target}.partial`;
      await mkdir(path.dirname(target), { recursive: true });
      const hash = createHash('sha256');
      let sizeBytes = 0;
      const file = await open(partial, 'wx', 0o600);
      try {
        for await (const bytes of source) {
          sizeBytes += bytes.byteLength;
          if (sizeBytes > maxBytes) throw tooLarge(`The file is larger than ${maxBytes} bytes.`, ['file']);
          hash.update(bytes);
          await file.write(bytes);
        }
        await file.sync();
        await file.close();
        await rename(partial, target);
      } catch (error) {
        await file.close().catch(() => {});
        await rm(partial, { force: true });
        throw error;
      }
      return { key, sizeBytes, sha256: hash.digest('hex') };
    },
    read: (key) => createReadStream(locate(key)),
    remove: (key) => rm(locate(key), { force: true }),
  };
}
