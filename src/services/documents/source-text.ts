import { shortInlineText, wholeInlineText } from '../../../db/inline-text.js';
import type { ChunkingOptions, Database, ExtractionMode } from '../../../db/schema.js';
import { conflict } from '../../errors/errors.js';
import type { FileStorage } from '../../storage/file-storage.js';
import type { DocumentRef } from './documents.schema.js';
import { documentNotFound, withinDatasets } from './rows.js';
import { placesOn } from './source-places.js';
import {
  MAX_PAGES,
  type SourceBytes,
  type SourceRange,
  type SourceText,
  type SourceTextRequest,
} from './source-text.schema.js';

/** The text of a source as pages, and where its chunks are in all of it: start, end, and hash of the text. */
export interface PlacedText {
  subType: string;
  parts: { number: number; start: number; text: string }[];
  places: [start: number, end: number, hash: string][];
}

/** A source that is kept, as `document_sources` and its document have it. */
interface KeptSource {
  tenantId: string;
  documentId: string;
  extraction: ExtractionMode;
  source: 'content' | 'file';
  content: string | null;
  contentHash: string;
  fileKey: string | null;
  fileName: string | null;
  mediaType: string | null;
  lastModified: Date | null;
  documentName: string | null;
  chunking: ChunkingOptions | null;
  storageType: null;
  storageBucket: null;
  storagePath: null;
  url: null;
  etag: null;
  httpLastModified: null;
}

/** Reads the text of a source, or says why there is none. */
export type ReadSourceText = (
  source: KeptSource,
  signal?: AbortSignal,
) => Promise<PlacedText | 'being_read' | 'too_large' | 'unreadable'>;

export interface DocumentSourceDependencies {
  db: Database;
  readSourceText: ReadSourceText;
  storage: Pick<FileStorage, 'read'>;
}

/** What documents were made of, as far as it is kept. */
export function createDocumentSources({ db, readSourceText, storage }: DocumentSourceDependencies) {
  return { sourceText, readSource };

  /** Pages of the source's text, and where on them the chunks are. */
  async function sourceText(request: SourceTextRequest, signal?: AbortSignal): Promise<SourceText> {
    const source = await findSource(request);
    const key = { tenantId: source.tenantId, documentId: source.id };
    const kept = toKept({ ...source, content: await wholeInlineText(db, key, source.content) });
    const text = kept ? await readSourceText(kept, signal) : 'not_kept';
    if (typeof text === 'string') return { unavailable: text, subType: null, pageCount: 0, pages: [] };
    const { subType, parts, places } = text;
    const { first, pages: count } = choosePages(text, request);
    const wanted = parts.slice(first, first + count);
    const placed = wanted.map((part) => placesOn(part, places));
    const ids = await findChunks(
      source,
      placed.flat().map(({ ordinal }) => ordinal),
    );
    const pages = wanted.map(({ number, start: pageStart, text: pageText }, index) => ({
      page: first + index + 1,
      number,
      start: pageStart,
      text: pageText,
      chunks: (placed[index] ?? []).map(({ ordinal, start, end }) => {
        const stored = ids.get(ordinal);
        const isSame = stored?.sourceHash === places[ordinal]?.[2];
        return { chunkId: stored && isSame ? stored.id : null, ordinal, start, end };
      }),
    }));
    return { unavailable: null, subType, pageCount: parts.length, pages };
  }

  /** Bytes of the uploaded file. */
  async function readSource(range: SourceRange): Promise<SourceBytes> {
    const { source, fileKey, fileName, mediaType, sizeBytes } = await findSource(range);
    if (source !== 'file' || fileKey === null || sizeBytes === null) throw noFile();
    const end = Math.min(range.offset + range.length, sizeBytes);
    const parts: Uint8Array[] = [];
    if (range.offset < end) {
      for await (const part of storage.read(fileKey, { start: range.offset, end })) parts.push(part);
    }
    return { fileName, mediaType, sizeBytes, base64: Buffer.concat(parts).toString('base64') };
  }

  function findSource({ scope, documentId }: DocumentRef) {
    return db
      .selectFrom('documents')
      .innerJoin('documentSources as kept', (join) =>
        join.onRef('kept.tenantId', '=', 'documents.tenantId').onRef('kept.documentId', '=', 'documents.id'),
      )
      .where(withinDatasets(scope))
      .where('documents.id', '=', documentId)
      .select(['documents.id', 'documents.tenantId', 'documents.source', 'documents.documentName'])
      .select([
        'documents.chunking',
        'documents.extraction',
        'kept.contentHash',
        'kept.fileKey',
        'kept.fileName',
      ])
      .select(['kept.mediaType', 'kept.lastModified', 'kept.sizeBytes'])
      .select(shortInlineText('kept.content').as('content'))
      .executeTakeFirstOrThrow(documentNotFound);
  }

  /** The chunks at these places, by ordinal. */
  async function findChunks({ tenantId, id }: { tenantId: string; id: string }, ordinals: number[]) {
    const [first] = ordinals;
    const last = ordinals.at(-1);
    if (first === undefined || last === undefined) return new Map<number, never>();
    const rows = await db
      .selectFrom('chunks')
      .select(['id', 'ordinal', 'sourceHash'])
      .where('tenantId', '=', tenantId)
      .where('documentId', '=', id)
      .where('ordinal', '>=', first)
      .where('ordinal', '<=', last)
      .where('deleted', '=', false)
      .execute();
    return new Map(rows.map((row) => [row.ordinal, row]));
  }
}

type FoundSource = Pick<
  KeptSource,
  | 'tenantId'
  | 'content'
  | 'fileKey'
  | 'fileName'
  | 'mediaType'
  | 'lastModified'
  | 'documentName'
  | 'chunking'
  | 'extraction'
> & { id: string; source: string; contentHash: string | null };

/** Undefined where only the chunks are stored. */
function toKept({ id, source, contentHash, ...row }: FoundSource): KeptSource | undefined {
  if ((source !== 'content' && source !== 'file') || contentHash === null) return undefined;
  const absent = { storageType: null, storageBucket: null, storagePath: null, url: null } as const;
  return { ...row, ...absent, documentId: id, source, contentHash, etag: null, httpLastModified: null };
}

/** The first page that is asked for, from 0, and how many. */
function choosePages({ parts, places }: PlacedText, { span, around, page, pages }: SourceTextRequest) {
  if (span) {
    const first = pageWith(parts, span.start);
    return { first, pages: Math.min(MAX_PAGES, pageWith(parts, span.end - 1) - first + 1) };
  }
  if (around === undefined) return { first: page - 1, pages };
  const [start] = places[around] ?? [0];
  return { first: pageWith(parts, start), pages };
}

/** The page that has a character, from 0; the last for one behind all. */
function pageWith(parts: PlacedText['parts'], offset: number): number {
  const after = parts.findIndex((part) => part.start > offset);
  return Math.max(0, (after === -1 ? parts.length : after) - 1);
}

const noFile = () => conflict('No file is stored for this document.', ['documentId']);
