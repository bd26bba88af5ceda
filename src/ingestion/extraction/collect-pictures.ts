import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type {
  EncodedPicture,
  GrayPicture,
  ParsedPage,
  ParseInput,
  Picture,
  Warn,
} from '@lectern/file-to-markdown';
import { parse } from '@lectern/file-to-markdown';
import {
  type CollectedPicture,
  type ExtractionStep,
  MAX_PICTURES,
  PARSED_FILE,
  pictureFile,
  type ToExtract,
} from './extraction-step.js';
import { countPages, decodePicture, preparePicture } from './pictures/prepare-picture.js';

/** Warnings that are kept until the text is complete. */
const MAX_WARNINGS = 10_000;
/** Changes with how pictures are prepared, which decides what an engine reads. */
const PREPARED = 1;
/** What sharp cannot decode, and some engines can. */
const AS_IT_IS = 'image/heic';

/** A document whose pictures are still to be read: a placeholder stands for each. */
export interface CollectedDocument {
  /** Part of every placeholder, so that no text can look like one. */
  nonce: string;
  subType: string;
  mediaType: string;
  title: string | undefined;
  pages: ParsedPage[];
  /** Of the pictures, by their numbers in placeholders. */
  keys: string[];
  warnings: Parameters<Warn>[];
}

type CollectOptions = Omit<Extract<ExtractionStep, { step: 'collect' }>, 'step'>;

/** Any placeholder, with its nonce and its number. */
export const PLACEHOLDER = /picture([0-9a-f]{16})n(\d{1,6})end/g;
const placeholder = (nonce: string, index: number): string => `picture${nonce}n${index}end`;

/**
 * Parses a file, and writes the pictures that stand in place of text into a folder, with everything else of the document.
 *
 * @param onPicture told of each; the file may be deleted once it is read
 * @throws what `parse` throws
 */
export async function collectPictures(
  input: ParseInput,
  { folder, known, most = MAX_PICTURES }: CollectOptions,
  onPicture: (picture: CollectedPicture) => Promise<void>,
): Promise<ToExtract> {
  const nonce = randomBytes(8).toString('hex');
  const keys: string[] = [];
  const warnings: Parameters<Warn>[] = [];
  const isKnown = new Set(known === 'all' ? [] : known);
  const parsed = await parse({
    ...input,
    recognize: collect,
    warn: (...warning) => {
      if (warnings.length < MAX_WARNINGS) warnings.push(warning);
    },
  });
  const pages: ParsedPage[] = [];
  for await (const page of parsed.pages) pages.push(page);
  const { subType, mediaType, title } = parsed;
  const document: CollectedDocument = { nonce, subType, mediaType, title, pages, keys, warnings };
  await writeFile(path.join(folder, PARSED_FILE), JSON.stringify(document));
  return { extraction: 'collected', subType };

  async function collect({ page, read }: Picture): Promise<string[] | undefined> {
    if (keys.length >= most) return undefined;
    // One damaged picture does not cost the rest of the document.
    const picture = await read().catch(() => undefined);
    if (!picture) return undefined;
    const placeholders: string[] = [];
    try {
      for await (const one of pagesOf(picture)) {
        if (keys.length >= most) break;
        placeholders.push(await add(one, page + placeholders.length));
      }
    } catch (error) {
      if (isOutOfSpace(error)) throw error;
    }
    return placeholders.length > 0 ? placeholders : undefined;
  }

  async function add({ key, mediaType, prepare }: PicturePage, page: number): Promise<string> {
    const index = keys.length;
    let size: number | null = null;
    if (known !== 'all' && !isKnown.has(key)) {
      const bytes = await prepare();
      await writeFile(path.join(folder, pictureFile(index)), bytes);
      size = bytes.length;
      isKnown.add(key);
    }
    // Only now: who is told counts along, and one that cannot be prepared has no number.
    keys.push(key);
    await onPicture({ key, page, mediaType, size });
    return placeholder(nonce, index);
  }
}

interface PicturePage {
  key: string;
  mediaType: string;
  prepare(): Promise<Uint8Array>;
}

async function* pagesOf(picture: GrayPicture | EncodedPicture): AsyncGenerator<PicturePage> {
  if ('pixels' in picture) {
    const { width, height, pixels } = picture;
    yield {
      key: keyOf([width, height], pixels),
      mediaType: 'image/png',
      prepare: () => preparePicture(picture),
    };
    return;
  }
  const { mediaType, bytes } = picture;
  if (mediaType === AS_IT_IS) {
    yield { key: keyOf([0], bytes), mediaType, prepare: async () => bytes };
    return;
  }
  const count = await countPages(picture);
  for (let page = 0; page < count; page++) {
    const prepare = async () => preparePicture(await decodePicture(picture, page));
    yield { key: keyOf([page], bytes), mediaType: 'image/png', prepare };
  }
}

const keyOf = (numbers: number[], bytes: Uint8Array): string =>
  createHash('sha256')
    .update([PREPARED, ...numbers].join(' '))
    .update(bytes)
    .digest('base64url');

const isOutOfSpace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'ENOENT'].includes(String(error.code));
