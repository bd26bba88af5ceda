import { text } from 'node:stream/consumers';
import yauzl from 'yauzl';

/** The names of a ZIP archive's files, and a reader of one as text. */
export interface ZipTexts {
  names: string[];
  /** Undefined where there is no such file. */
  read: (name: string) => Promise<string | undefined>;
  close: () => void;
}

export async function openZip(file: string): Promise<ZipTexts> {
  const archive = await yauzl.openPromise(file, { autoClose: false, lazyEntries: true });
  const entries = new Map<string, yauzl.Entry>();
  for await (const entry of archive.eachEntry()) entries.set(entry.fileName, entry);
  return {
    names: [...entries.keys()],
    async read(name) {
      const entry = entries.get(name);
      return entry && text(await archive.openReadStreamPromise(entry));
    },
    close: () => archive.close(),
  };
}
