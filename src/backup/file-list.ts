import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type BackupFile, backupFile } from './manifest.js';

export const LIST = 'files.ndjson';

/** The files that a list in a backup's folder names. */
export async function* readFileList(folder: string, name = LIST): AsyncGenerator<BackupFile> {
  const lines = createInterface({ input: createReadStream(path.join(folder, name)) });
  for await (const line of lines) yield backupFile.parse(JSON.parse(line));
}

export const toLine = (file: BackupFile): string => `${JSON.stringify(file)}\n`;
