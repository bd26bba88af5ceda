import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What `scripts/static-files.js` writes beside the files that it builds. */
interface FileList {
  files: Record<string, StaticFile>;
}

export interface StaticFile {
  /** Content-Type. */
  type: string;
  /** Encodings in which it is there besides, the smallest first, as `<file>.br` and `<file>.gz`. */
  encodings: ('br' | 'gzip')[];
  /** Of its content. */
  etag: string;
}

/** Built files: the console, or the guide. */
export interface StaticFiles {
  folder: string;
  /** By path in the folder. Nothing else in it is served. */
  files: ReadonlyMap<string, StaticFile>;
}

/** Reads what there is in a folder; undefined where nothing was built. */
export function readStaticFiles(folder: string): StaticFiles | undefined {
  const list = path.join(folder, 'files.json');
  if (!existsSync(list)) return undefined;
  const { files }: FileList = JSON.parse(readFileSync(list, 'utf8'));
  return { folder, files: new Map(Object.entries(files)) };
}
