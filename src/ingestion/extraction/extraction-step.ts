import type { ExtractionScope } from './extraction-scope.js';

/**
 * What a child does with pages that only an engine can read:
 * - `ask`: ends as soon as there is one
 * - `collect`: parses the file, and writes these pages as pictures into the folder, except known ones, and everything else
 *   beside them; `most` limits how many
 * - `insert`: goes on with what was collected, and what the engine said of it
 */
export type ExtractionStep =
  | { step: 'ask'; scope: ExtractionScope }
  | {
      step: 'collect';
      scope: ExtractionScope;
      folder: string;
      known: readonly string[] | 'all';
      most?: number | undefined;
    }
  | { step: 'insert'; folder: string; extractedBy: string };

/** What a child gives instead of chunks. */
export type ToExtract = { extraction: 'needed' } | Collected;
export type Collected = { extraction: 'collected'; subType: string };

/** Text that only an engine can read. */
export interface CollectedPicture {
  /** SHA-256 of what it shows, in base64url: the same picture has the same key, in whichever file it is. */
  key: string;
  page: number;
  mediaType: string;
  /** Bytes of its file in the folder; null where the key was known, and there is none. */
  size: number | null;
  /** The whole file of the document, which is not in the folder. */
  isFile?: boolean | undefined;
}

/** Most pictures of a file. */
export const MAX_PICTURES = 20_000;

/** Of a picture in the folder. */
export const pictureFile = (index: number): string => `picture-${index}`;
/** What an engine said of each key, in the folder. */
export const TEXTS_FILE = 'texts.json';
/** Everything else of the document. */
export const PARSED_FILE = 'parsed.json';
