import { invalid } from '../errors/errors.js';
import { type BackupFile, backupFile } from './manifest.js';
import { openFile } from './open-file.js';

export const LIST = 'files.ndjson';
/** Far more than a line has. */
const MAX_LINE_BYTES = 1_000;

/**
 * The files that a list in a backup's folder names.
 *
 * @throws DomainError `invalid` where a line is not that of a file
 */
export async function* readFileList(folder: string, name = LIST): AsyncGenerator<BackupFile> {
  let [number, rest] = [0, ''];
  const { bytes } = await openFile(folder, name);
  for await (const part of bytes.setEncoding('latin1')) {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield parseLine(line, ++number, name);
    if (rest.length > MAX_LINE_BYTES) break;
  }
  if (rest !== '') throw damaged(name, number + 1);
}

function parseLine(line: string, number: number, name: string): BackupFile {
  try {
    return backupFile.parse(JSON.parse(line));
  } catch {
    throw damaged(name, number);
  }
}

const damaged = (name: string, line: number) =>
  invalid(`${name} is damaged: line ${line} names no file.`, []);

export const toLine = (file: BackupFile): string => `${JSON.stringify(file)}\n`;
