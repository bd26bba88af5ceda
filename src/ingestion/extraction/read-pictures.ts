import { rm } from 'node:fs/promises';
import path from 'node:path';
import { TextBudget } from '@lectern/file-to-markdown';
import { MEDIA_TYPES } from '@lectern/file-to-markdown/media-types';
import type { Database } from '../../../db/schema.js';
import { EndpointError } from '../../model-endpoint/endpoint-error.js';
import type { DocumentKey } from '../jobs/job-queue.js';
import type { ExtractedText, ExtractionEngine } from './extraction-engine.js';
import { type CollectedPicture, pictureFile } from './extraction-step.js';
import { countExtractedPages, findText, storeText } from './stored-texts.js';

export interface ReadPicturesContext {
  db: Database;
  engine: ExtractionEngine;
  /** Pictures of one document that are read at a time. */
  window: number;
  /** Pages of a tenant; undefined: any. */
  quota: number | undefined;
}

/** Why an engine was not asked for a picture, or said nothing. */
export type Unread = 'unavailable' | 'refused' | 'quota';

/**
 * Reads the pictures of a document while a child collects them, some at a time. What the tenant's engine has read before is
 * not asked again.
 *
 * @param options.known what is known of the document
 * @param options.maxCharacters of all texts together, which are in memory
 * @param options.patience how often in a row the engine may fail before it is asked for no more pictures
 */
export function startReadingPictures(
  { db, engine, window, quota }: ReadPicturesContext,
  document: DocumentKey,
  {
    folder,
    file: wholeFile,
    known,
    maxCharacters,
    patience,
    signal,
  }: {
    folder: string;
    /** Of the document. */
    file: string;
    known: ReadonlyMap<string, ExtractedText>;
    maxCharacters: number;
    patience: number;
    signal: AbortSignal;
  },
) {
  const texts: Record<string, ExtractedText> = {};
  const underWay = new Map<string, Promise<void>>();
  /** Of pictures that are in the document more than once, the first has the file. */
  const asked = new Set<string>();
  const unread = new Map<Unread, unknown>();
  const budget = new TextBudget(maxCharacters);
  let count = 0;
  let done = 0;
  let hasFile = false;
  let stored = 0;
  let failures = 0;
  return {
    add,
    end,
    unread,
    hasFile: () => hasFile,
    hasProgress: () => stored > 0,
    progress: () => (count === 0 ? 0 : done / count),
  };

  /** Waits while as many pictures are read as may be. Its file is deleted once it is read. */
  async function add(picture: CollectedPicture): Promise<void> {
    const { key, isFile = false } = picture;
    const text = known.get(key);
    const file = isFile ? wholeFile : path.join(folder, pictureFile(count));
    count++;
    hasFile ||= isFile;
    if (text && !texts[key]) keep(key, text);
    if (text || asked.has(key)) {
      done++;
      return;
    }
    asked.add(key);
    const reading = read(picture, file).finally(async () => {
      done++;
      underWay.delete(key);
      if (!isFile) await rm(file, { force: true });
    });
    reading.catch(() => {});
    underWay.set(key, reading);
    if (underWay.size >= window) await Promise.race(underWay.values());
  }

  /** @returns what was read, by key */
  async function end(): Promise<Record<string, ExtractedText>> {
    await Promise.all(underWay.values());
    return texts;
  }

  async function read(picture: CollectedPicture, file: string): Promise<void> {
    // An engine that has just failed is not asked for each of a thousand pages.
    if (failures >= patience) return;
    const { key } = picture;
    const { tenantId } = document;
    const found = await findText(db, tenantId, { key, engine: engine.version });
    const text = found ?? (await ask(picture, file));
    if (!text) return;
    failures = 0;
    keep(key, text);
    await storeText(db, document, {
      key,
      engine: engine.version,
      text,
      counted: found ? 0 : Math.max(1, text.pages.length),
    });
    stored++;
  }

  /** @throws FileError `too_much_text` */
  function keep(key: string, text: ExtractedText): void {
    budget.spend(text.pages.reduce((sum, page) => sum + page.length, 0));
    texts[key] = text;
  }

  async function ask(
    { mediaType, size, page, isFile }: CollectedPicture,
    file: string,
  ): Promise<ExtractedText | undefined> {
    if (!engine.accepts(mediaType))
      return refuse('refused', new Error(`${engine.name} does not read ${mediaType}.`));
    if (quota !== undefined && (await countExtractedPages(db, document.tenantId)) >= quota)
      return refuse('quota');
    const fileName = `${isFile ? 'file' : `page-${page}`}.${extensionOf(mediaType)}`;
    try {
      return toStorable(await engine.extract({ path: file, size: size ?? 0, mediaType, fileName }, signal));
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      // A large file that takes too long once does so again.
      const isRefused = error.isOfRequest || (isFile && error.failure === 'timed-out');
      if (!isRefused) failures++;
      return refuse(isRefused ? 'refused' : 'unavailable', error);
    }
  }

  function refuse(reason: Unread, error?: unknown): undefined {
    unread.set(reason, error);
  }
}

/** Engines look at it. */
const extensionOf = (mediaType: string): string =>
  Object.entries(MEDIA_TYPES).find(([, type]) => type === mediaType)?.[0] ?? 'bin';

/** PostgreSQL takes neither NUL nor lone surrogates. */
const toStorable = ({ mediaType, pages }: ExtractedText): ExtractedText => ({
  mediaType,
  pages: pages.map((page) => page.replaceAll('\0', '').toWellFormed()),
});
