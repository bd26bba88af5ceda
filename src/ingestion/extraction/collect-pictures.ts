import { createHash, randomBytes } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type {
  EncodedPicture,
  GrayPicture,
  Loss,
  ParsedPage,
  ParseInput,
  Picture,
  Warn,
} from '@lectern/file-to-markdown';
import { parse } from '@lectern/file-to-markdown';
import {
  type Collected,
  type CollectedPicture,
  type ExtractionStep,
  MAX_PICTURES,
  PARSED_FILE,
  pictureFile,
} from './extraction-step.js';
import { countPages, decodePicture, preparePicture } from './pictures/prepare-picture.js';

/** Warnings that are kept until the text is complete. */
const MAX_WARNINGS = 10_000;
/** Changes with how pictures are prepared, which decides what an engine reads. */
const PREPARED = 1;
/** What sharp cannot decode, and some engines can. */
const AS_THEY_ARE = ['image/heic', 'application/pdf'];

/** A document whose pictures are still to be read: a placeholder stands for each. */
export interface CollectedDocument {
  /** Part of every placeholder, so that no text can look like one. */
  nonce: string;
  subType: string;
  mediaType: string;
  title?: string | undefined;
  pages: ParsedPage[];
  /** By their numbers in placeholders. */
  pictures: PlacedPicture[];
  /** Whether an engine is to read all of it: its pages are those of the text. */
  isWholeFile?: boolean;
  warnings: Parameters<Warn>[];
}

export interface PlacedPicture {
  key: string;
  /** Markdown that stands in its place where it is not read, and what is lost then. */
  ownText?: string | undefined;
  loss?: Loss | undefined;
}

type CollectOptions = Omit<Extract<ExtractionStep, { step: 'collect' }>, 'step'>;

/** Any placeholder, with its nonce and its number. */
export const PLACEHOLDER = /picture([0-9a-f]{16})n(\d{1,6})end/g;
export const placeholder = (nonce: string, index: number): string => `picture${nonce}n${index}end`;

/**
 * Parses a file, and writes the pictures that stand in place of text into a folder, with everything else of the document.
 *
 * @param onPicture told of each; the file may be deleted once it is read
 * @throws what `parse` throws
 */
export async function collectPictures(
  input: ParseInput,
  { folder, known, scope, most = MAX_PICTURES }: CollectOptions,
  onPicture: (picture: CollectedPicture) => Promise<void>,
): Promise<Collected> {
  const nonce = randomBytes(8).toString('hex');
  const pictures: PlacedPicture[] = [];
  const warnings: Parameters<Warn>[] = [];
  const isKnown = new Set(known === 'all' ? [] : known);
  const parsed = await parse({
    ...input,
    recognize: collect,
    recognizeAlso: scope,
    warn: (...warning) => {
      if (warnings.length < MAX_WARNINGS) warnings.push(warning);
    },
  });
  const pages: ParsedPage[] = [];
  for await (const page of parsed.pages) pages.push(page);
  const { subType, mediaType, title } = parsed;
  const document: CollectedDocument = { nonce, subType, mediaType, title, pages, pictures, warnings };
  await writeFile(path.join(folder, PARSED_FILE), JSON.stringify(document));
  return { extraction: 'collected', subType };

  async function collect(picture: Picture): Promise<string[] | undefined> {
    if (pictures.length >= most) return undefined;
    const placeholders: string[] = [];
    // One damaged picture does not cost the rest of the document, nor a damaged page of it the others.
    const pages = await picture.read().then(pagesOf).catch(skip);
    for (const page of pages ?? []) {
      if (pictures.length >= most) break;
      const added = await add(page, picture, placeholders.length).catch(skip);
      if (added) placeholders.push(added);
    }
    return placeholders.length > 0 ? placeholders : undefined;
  }

  /** Waits while the folder has many pictures, which are deleted once they are read. */
  async function untilRoom(): Promise<void> {
    while ((await readdir(folder)).length >= MAX_WAITING) {
      // Whoever waits is not in an endless loop.
      input.onProgress?.(0);
      await setTimeout(POLL_MS, undefined, { signal: input.signal });
    }
  }

  async function add(
    { key, mediaType, prepare }: PicturePage,
    { page: firstPage, ownText, loss }: Picture,
    offset: number,
  ): Promise<string> {
    const index = pictures.length;
    const page = firstPage + offset;
    let size: number | null = null;
    if (known !== 'all' && !isKnown.has(key)) {
      await untilRoom();
      const bytes = await prepare();
      await writeFile(path.join(folder, pictureFile(index)), bytes);
      size = bytes.length;
      isKnown.add(key);
    }
    // Only now: who is told counts along, and one that cannot be prepared has no number.
    const lost = loss?.page === undefined ? loss : { ...loss, page: loss.page + offset };
    pictures.push({ key, ownText, loss: lost });
    await onPicture({ key, page, mediaType, size });
    return placeholder(nonce, index);
  }
}

/** Pictures that wait for the engine at a time: each takes some megabytes. */
const MAX_WAITING = 16;
const POLL_MS = 50;

interface PicturePage {
  key: string;
  mediaType: string;
  prepare(): Promise<Uint8Array>;
}

async function pagesOf(picture: GrayPicture | EncodedPicture): Promise<PicturePage[]> {
  if ('pixels' in picture) {
    const { width, height, pixels } = picture;
    const key = keyOf([width, height], pixels);
    return [{ key, mediaType: 'image/png', prepare: () => preparePicture(picture) }];
  }
  const { mediaType, bytes } = picture;
  if (AS_THEY_ARE.includes(mediaType))
    return [{ key: keyOf([0], bytes), mediaType, prepare: async () => bytes }];
  const hash = createHash('sha256').update(bytes).digest();
  return Array.from({ length: await countPages(picture) }, (_, page) => ({
    key: keyOf([page], hash),
    mediaType: 'image/png',
    prepare: async () => preparePicture(await decodePicture(picture, page)),
  }));
}

const keyOf = (numbers: number[], bytes: Uint8Array): string =>
  createHash('sha256')
    .update([PREPARED, ...numbers].join(' '))
    .update(bytes)
    .digest('base64url');

/** @throws where the folder is what is wrong, and not the picture */
function skip(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['ENOSPC', 'EDQUOT', 'ENOENT'].includes(code)) throw error;
}
