import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { corruptFileError, ParseError } from '../../errors.js';

export interface ZipLimits {
  entries: number;
  entryBytes: number;
  totalBytes: number;
  /** Uncompressed to compressed size; looked at for large entries only. */
  ratio: number;
}

const MIB = 2 ** 20;
const LIMITS: ZipLimits = { entries: 10_000, entryBytes: 100 * MIB, totalBytes: 200 * MIB, ratio: 200 };
const RATIO_FROM = 10 * MIB;
const FOLDER = /[/\\]$/;
/** What zlib says of a stream that is damaged, and yauzl of one that is cut off. */
const DAMAGED = /^(?:Z_|not enough bytes)/;

/**
 * Refuses a ZIP that would unpack to more than an office file ever does, before a parser unpacks it in memory.
 * Every entry is inflated once and thrown away, so that headers which lie about sizes show.
 *
 * @param allowDamage whether an entry may be damaged, for those who can do without it
 * @throws ParseError `too_large`, `encrypted` or `corrupt`
 */
export async function preflightZip(
  bytes: Uint8Array,
  limits: ZipLimits = LIMITS,
  allowDamage: (name: string) => boolean = () => false,
): Promise<void> {
  try {
    const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
      lazyEntries: true,
      validateEntrySizes: true,
      // Names are looked at by whoever asks for a part.
      decodeStrings: false,
    });
    let entries = 0;
    let total = 0;
    for await (const entry of zip.eachEntry()) {
      entries++;
      total += entry.uncompressedSize;
      check(entry, entries, total, limits);
      if (FOLDER.test(entry.fileNameRaw.toString('latin1'))) continue;
      await drain(zip, entry).catch((error) => {
        if (!isDamage(error) || !allowDamage(entry.fileNameRaw.toString('latin1'))) throw error;
      });
    }
  } catch (error) {
    throw error instanceof ParseError ? error : corruptFileError('file', error);
  }
}

function check(entry: Entry, entries: number, total: number, limits: ZipLimits): void {
  if (entry.isEncrypted()) {
    throw new ParseError(
      'encrypted',
      'The file is protected by a password; remove it and upload the file again.',
    );
  }
  const size = entry.uncompressedSize;
  const inflates = size > RATIO_FROM && size / Math.max(1, entry.compressedSize) > limits.ratio;
  if (entries > limits.entries || size > limits.entryBytes || total > limits.totalBytes || inflates) {
    throw new ParseError(
      'too_large',
      'The file unpacks to more than can be processed; split it into smaller ones.',
    );
  }
}

function isDamage({ code, message }: NodeJS.ErrnoException): boolean {
  return DAMAGED.test(code ?? message);
}

async function drain(zip: ZipFile, entry: Entry): Promise<void> {
  for await (const _ of await zip.openReadStreamPromise(entry));
}
