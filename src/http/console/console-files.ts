import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What `scripts/build-web.js` writes beside the files of the console. */
interface FileList {
  files: Record<string, ConsoleFile>;
}

export interface ConsoleFile {
  /** Content-Type. */
  type: string;
  /** Encodings in which it is there besides, the smallest first, as `<file>.br` and `<file>.gz`. */
  encodings: ('br' | 'gzip')[];
  /** Of its content. */
  etag: string;
}

/** The built console. */
export interface ConsoleFiles {
  folder: string;
  /** By path in the folder. Nothing else in it is served. */
  files: ReadonlyMap<string, ConsoleFile>;
}

/** Reads what there is in a folder; undefined where the console was not built. */
export function readConsoleFiles(folder: string): ConsoleFiles | undefined {
  const list = path.join(folder, 'files.json');
  if (!existsSync(list)) return undefined;
  const { files }: FileList = JSON.parse(readFileSync(list, 'utf8'));
  return { folder, files: new Map(Object.entries(files)) };
}
