import { type OleEntry, readOleDirectory } from './ole-directory.js';
import { followChain, numberAt, OleSectors } from './ole-sectors.js';

/** [MS-CFB] 2.2: where the header names the first sectors of the directory and of the table of short ones. */
const [DIRECTORY, SHORT_TABLE] = [48, 60];
const SHORT_SECTOR_BYTES = 64;
/** Shorter streams lie in short sectors. */
const MIN_LONG_STREAM = 4096;
/** How many times its size is read of a container: several entries may name the same sectors. */
const MAX_READS = 8;

export interface OleContainer {
  /** The root storage is the first. */
  entries: OleEntry[];
  /** Content of a stream; shorter than its length where the container is damaged. */
  read(entry: OleEntry): Buffer;
}

/**
 * Opens an OLE container ([MS-CFB]); of a damaged one, what can be read.
 *
 * @param onDamage called when sectors or entries lead back to themselves, also while streams are read, and when much more
 *   is read than there is
 */
export function openOleContainer(bytes: Buffer, onDamage: () => void = () => {}): OleContainer {
  const sectors = new OleSectors(bytes, onDamage);
  const entries = readOleDirectory(sectors.read(numberAt(bytes, DIRECTORY)), onDamage);
  let left = MAX_READS * bytes.length;
  let short: { content: Buffer; table: Buffer } | undefined;

  function readShort({ first, length }: OleEntry): Buffer {
    short ??= {
      content: sectors.read(entries[0]?.first ?? 0),
      table: sectors.read(numberAt(bytes, SHORT_TABLE)),
    };
    const { content, table } = short;
    const next = (number: number) => numberAt(table, number * 4);
    const limit = Math.ceil(length / SHORT_SECTOR_BYTES);
    const count = Math.ceil(content.length / SHORT_SECTOR_BYTES);
    const parts = followChain(first, next, { limit, count, onDamage }).map((number) =>
      content.subarray(number * SHORT_SECTOR_BYTES, (number + 1) * SHORT_SECTOR_BYTES),
    );
    return Buffer.concat(parts).subarray(0, length);
  }

  return {
    entries,
    read(entry) {
      const content =
        entry.length < MIN_LONG_STREAM ? readShort(entry) : sectors.read(entry.first, entry.length);
      left -= content.length;
      if (left < 0) onDamage();
      return content;
    },
  };
}

/** A stream in a storage. */
export function findStream(storage: OleEntry | undefined, name: string): OleEntry | undefined {
  return storage?.children.find((entry) => entry.isStream && entry.name.toLowerCase() === name.toLowerCase());
}
