import type { Loss, ParseInput } from '../../types.js';
import type { ZipParts } from '../zip/zip-parts.js';
import { pictureType } from './picture-type.js';

/** Of one file: more is no document that somebody reads. */
const MAX_PICTURES = 1_000;
const MAX_BYTES = 50 * 2 ** 20;
/** Of all places together: a small file may show one picture a thousand times. */
const MAX_TOTAL_BYTES = 500 * 2 ** 20;
/** Where the size of nearly every picture is said; behind it come a preview and a colour profile at most. */
const HEAD_BYTES = 256 * 1024;
/** Pixels. Lower ones are icons, rules and logos: at 96 dpi, text of five lines is as high. */
const MIN_EDGE = 100;
/** Pixels: 200 by 200. */
const MIN_AREA = 40_000;

/** A picture inside a file, of which little is read before it is asked for. */
export interface StoredPicture {
  size: number;
  head(length: number): Promise<Uint8Array>;
  bytes(): Promise<Uint8Array>;
}

/** One that may have text. */
export interface ReadablePicture {
  mediaType: string;
  size: number;
  bytes(): Promise<Uint8Array>;
}

/** Pictures among the text of one file that are worth reading. */
export class PicturesInText {
  #count = 0;
  #bytes = 0;

  private constructor(private readonly recognize: NonNullable<ParseInput['recognize']>) {}

  /** Undefined where they are not wanted. */
  static wantedBy({ recognize, recognizeAlso }: ParseInput): PicturesInText | undefined {
    return recognize && recognizeAlso?.pictures ? new PicturesInText(recognize) : undefined;
  }

  /** Whether there may be one more; each place counts. */
  count({ size }: ReadablePicture): boolean {
    this.#bytes += size;
    return ++this.#count <= MAX_PICTURES && this.#bytes <= MAX_TOTAL_BYTES;
  }

  /** @returns its Markdown; undefined where it is not read */
  async read({ mediaType, bytes }: ReadablePicture, page: number, loss?: Loss): Promise<string | undefined> {
    const pages = await this.recognize({
      page,
      isInText: true,
      ...(loss && { loss }),
      read: async () => ({ mediaType, bytes: await bytes() }),
    });
    return pages?.join('\n\n');
  }
}

/** Undefined where it is too small for text, too large, or in a format that is not read, such as drawings. */
export async function toReadable(picture: StoredPicture | undefined): Promise<ReadablePicture | undefined> {
  if (!picture || picture.size > MAX_BYTES) return undefined;
  const head = Buffer.from(await picture.head(HEAD_BYTES));
  const isTiff = /^(?:II\*\0|MM\0\*)/.test(head.toString('latin1', 0, 4));
  // A TIFF may say its size at its end.
  const type = pictureType(isTiff ? Buffer.from(await picture.bytes()) : head);
  if (!type) return undefined;
  const { width, height, mediaType } = type;
  const isLarge = width >= MIN_EDGE && height >= MIN_EDGE && width * height >= MIN_AREA;
  return isLarge ? { mediaType, size: picture.size, bytes: picture.bytes } : undefined;
}

/** Parts of a ZIP, each looked at once; one that is damaged is none. */
export class ZipPictures {
  readonly #known = new Map<string, Promise<ReadablePicture | undefined>>();

  constructor(private readonly parts: ZipParts) {}

  of(path: string): Promise<ReadablePicture | undefined> {
    const picture = this.#known.get(path) ?? pictureOf(this.parts, path);
    this.#known.set(path, picture);
    return picture;
  }
}

async function pictureOf(parts: ZipParts, path: string): Promise<ReadablePicture | undefined> {
  const size = parts.size(path);
  if (size === undefined) return undefined;
  const orEmpty = async (bytes: Promise<Buffer | undefined>) => (await bytes) ?? Buffer.of();
  return toReadable({
    size,
    head: (length) => orEmpty(parts.head(path, length)),
    bytes: () => orEmpty(parts.bytes(path)),
  }).catch(() => undefined);
}

export function pictureInMemory(bytes: Uint8Array): StoredPicture {
  return { size: bytes.length, head: async (length) => bytes.subarray(0, length), bytes: async () => bytes };
}
