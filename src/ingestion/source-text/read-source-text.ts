import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { ChunkingOptions, Database, ExtractionMode } from '../../../db/schema.js';
import { createConcurrencyLimit } from '../../async/concurrency-limit.js';
import { abortable } from '../../async/timeouts.js';
import { tooManyRequests, unavailable } from '../../errors/errors.js';
import { collectedPicture, type Extraction } from '../extraction/extraction.js';
import type { ExtractedText } from '../extraction/extraction-engine.js';
import { type ExtractionScope, WIDEST_SCOPE } from '../extraction/extraction-scope.js';
import { type Collected, TEXTS_FILE } from '../extraction/extraction-step.js';
import { readTexts, textVersions } from '../extraction/stored-texts.js';
import { IngestionError } from '../ingestion-error.js';
import { fileLimits } from '../limits/file-limits.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { type ReadSourceOptions, readSource, type SourceRow } from '../sources/read-source.js';
import type { ChunkPlace, SourceTextBatch, SourceTextResult, SourceTextTask, TextPart } from './protocol.js';
import { createTextCache } from './text-cache.js';

/** Files that are read at once; further ones wait. */
export const SOURCE_TEXT_CONCURRENCY = 1;
/** Of one file, with the time that it waits. A parser is limited by processor time, of which a busy machine gives little. */
const TIMEOUT_MS = 900_000;
/** A request waits no longer; the file is read on. */
const PATIENCE_MS = 10_000;
const MAX_CHARACTERS = 16 * 2 ** 20;
const MAX_WAITING = 8;
const CACHE_BYTES = 64 * 2 ** 20;
const BYTES_PER_PLACE = 160;

export interface SourceText {
  subType: string;
  parts: TextPart[];
  /** Of all chunks, in their order. */
  places: ChunkPlace[];
}

/** Why there is no text. */
type NoSourceText = 'too_large' | 'unreadable';

/** A source that is kept: inline text or an uploaded file. */
export interface KeptSource extends SourceRow {
  tenantId: string;
  documentId: string;
  extraction: ExtractionMode;
  /** Of the bytes. */
  contentHash: string;
  chunking: ChunkingOptions | null;
}

export interface ReadSourceTextDependencies {
  db: Database;
  /** What the extraction engine reads, if there is one: other pages have other keys. */
  scopeOf: Extraction['scopeOf'] | undefined;
  sandbox: Sandbox<SourceTextTask, SourceTextResult | Collected>;
  sourceOptions: Omit<ReadSourceOptions, 'signal'>;
  /** Default chunking options. */
  chunking: ChunkingOptions;
  maxFile: { chunks: number; processorMs: number };
}

/**
 * Reads the text of sources that are kept, with the places of their chunks. Nothing of it is stored: files are parsed
 * again, one at a time, and what was read last is kept in memory.
 */
export function createReadSourceText({
  db,
  scopeOf,
  sandbox,
  sourceOptions,
  chunking: defaults,
  maxFile,
}: ReadSourceTextDependencies) {
  const limit = createConcurrencyLimit({ perKey: 1, total: SOURCE_TEXT_CONCURRENCY });
  const cache = createTextCache<SourceText | NoSourceText>(CACHE_BYTES);
  const underWay = new Map<string, Promise<SourceText | NoSourceText>>();

  /**
   * @returns `being_read` where it takes longer than a request waits: ask again
   * @throws DomainError `unavailable` where storage is away; `too_many_requests` where the tenant has more files waiting
   *   than it may; the reason of `signal`
   */
  return async function readSourceText(
    source: KeptSource,
    signal?: AbortSignal,
  ): Promise<SourceText | NoSourceText | 'being_read'> {
    const extracted = await textVersions(db, source);
    const key = keyOf(source, defaults, extracted);
    const known = cache.get(key);
    if (known) return known;
    // Goes on where nobody waits any more: who asks again finds it.
    const reading = underWay.get(key) ?? begin(key, source, extracted.length > 0);
    const ending = new AbortController();
    const patience = setTimeout(PATIENCE_MS, 'being_read' as const, { signal: ending.signal });
    patience.catch(() => {});
    try {
      return await abortable(signal, Promise.race([reading, patience]));
    } finally {
      ending.abort();
    }
  };

  function begin(key: string, source: KeptSource, isExtracted: boolean): Promise<SourceText | NoSourceText> {
    if (limit.countWaiting(source.tenantId) >= MAX_WAITING) throw tooManyWaiting();
    const reading = limited(source, isExtracted)
      .then((text) => {
        cache.set(key, text, bytesOf(text));
        return text;
      })
      .finally(() => underWay.delete(key));
    reading.catch(() => {});
    underWay.set(key, reading);
    return reading;
  }

  async function limited(source: KeptSource, isExtracted: boolean): Promise<SourceText | NoSourceText> {
    const ending = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await limit.run(source.tenantId, () => read(source, isExtracted, ending), ending);
    } catch (error) {
      if (ending.aborted) throw tookTooLong(error);
      return reasonOf(error);
    }
  }

  async function read(source: KeptSource, isExtracted: boolean, signal: AbortSignal): Promise<SourceText> {
    const file = await readSource(source, { ...sourceOptions, signal });
    if (file.notModified) throw new Error('what is kept is not asked for conditionally');
    try {
      const { characters, ...limits } = fileLimits(file.size, maxFile);
      const task: SourceTextTask = {
        path: file.path,
        size: file.size,
        fileName: file.fileName,
        mediaType: file.mediaType,
        chunking: { ...defaults, ...source.chunking },
        limits: { ...limits, characters: Math.min(characters, MAX_CHARACTERS) },
      };
      if (!isExtracted) return await readFile(task, signal);
      const texts = await readTexts(db, source);
      const scope = scopeOf?.(source.extraction) ?? WIDEST_SCOPE;
      return await readExtracted(texts, { task, scope, signal });
    } finally {
      await file.dispose();
    }
  }

  async function readFile(task: SourceTextTask, signal: AbortSignal): Promise<SourceText> {
    const text: Omit<SourceText, 'subType'> = { parts: [], places: [] };
    const onBatch = async (json: string) => {
      const { parts, places } = JSON.parse(json) as SourceTextBatch;
      for (const part of parts) text.parts.push(part);
      for (const place of places) text.places.push(place);
    };
    const result = await sandbox.run(task, { signal, onProgress: () => {}, onBatch });
    return { subType: result.subType, ...text };
  }

  /** With what an engine has read of the document before, whether there is one now or not. */
  async function readExtracted(
    texts: ReadonlyMap<string, ExtractedText>,
    { task, scope, signal }: { task: SourceTextTask; scope: ExtractionScope; signal: AbortSignal },
  ): Promise<SourceText> {
    const folder = await mkdtemp(path.join(sourceOptions.tempDir, 'pictures-'));
    try {
      let isUnread = false;
      await sandbox.run(
        { ...task, extraction: { step: 'collect', scope, folder, known: 'all' } },
        {
          signal,
          onProgress: () => {},
          onBatch: async (json) => {
            const { isFile, key } = collectedPicture.parse(JSON.parse(json));
            isUnread ||= isFile === true && !texts.has(key);
          },
        },
      );
      if (isUnread) return await readExtracted(texts, { task, scope: { ...scope, files: [] }, signal });
      await writeFile(path.join(folder, TEXTS_FILE), JSON.stringify(Object.fromEntries(texts)));
      return await readFile({ ...task, extraction: { step: 'insert', folder, extractedBy: '' } }, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

const TOO_LARGE = new Set(['too_much_text', 'too_many_chunks', 'timeout', 'out_of_memory']);

/** @throws what a later call may not meet */
function reasonOf(error: unknown): NoSourceText {
  if (!(error instanceof IngestionError)) throw error;
  if (TOO_LARGE.has(error.code)) return 'too_large';
  if (error.retryable) throw unavailable('The source cannot be read at the moment; try again later.', error);
  return 'unreadable';
}

/** The same for the same bytes, read in the same way. */
const keyOf = (
  { tenantId, contentHash, documentName, fileName, mediaType, chunking }: KeptSource,
  defaults: ChunkingOptions,
  extracted: { key: string; createdTime: Date }[],
) =>
  JSON.stringify([
    tenantId,
    contentHash,
    documentName,
    fileName,
    mediaType,
    { ...defaults, ...chunking },
    extracted,
  ]);

function bytesOf(text: SourceText | NoSourceText): number {
  if (typeof text === 'string') return BYTES_PER_PLACE;
  const characters = text.parts.reduce((sum, part) => sum + part.text.length, 0);
  return 2 * characters + BYTES_PER_PLACE * (text.places.length + text.parts.length);
}

const tooManyWaiting = () =>
  tooManyRequests('Too many files of this tenant wait to be read; try again in a moment.');
const tookTooLong = (cause: unknown) =>
  unavailable('The server is busy reading other files; try again later.', cause);
