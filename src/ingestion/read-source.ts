import type { Readable } from 'node:stream';
import type { FileStorage } from '../storage/file-storage.js';
import { fetchUrl } from './fetch-source.js';
import { IngestionError } from './ingestion-error.js';

/** What a document's rows say of where its text comes from. */
export interface SourceRow {
  source: string;
  content: string | null;
  fileKey: string | null;
  fileName: string | null;
  mediaType: string | null;
  lastModified: Date | null;
  documentName: string | null;
  storageType: string | null;
  url: string | null;
}

export interface SourceBytes {
  bytes: Uint8Array;
  fileName?: string | undefined;
  mediaType?: string | undefined;
  lastModified?: Date | undefined;
  /** Whether it came from a web address. */
  isWeb: boolean;
}

/**
 * Reads the bytes of a document's source.
 *
 * @throws IngestionError or FetchError saying why there are none, and whether trying again may help
 */
export async function readSource(
  row: SourceRow,
  { storage, maxBytes, signal }: { storage: FileStorage; maxBytes: number; signal?: AbortSignal | undefined },
): Promise<SourceBytes> {
  const named = { fileName: row.documentName ?? undefined, isWeb: false };
  if (row.source === 'content' && row.content !== null) {
    return { ...named, bytes: Buffer.from(row.content) };
  }
  if (row.source === 'file' && row.fileKey !== null) {
    return {
      ...named,
      fileName: row.fileName ?? named.fileName,
      bytes: await collect(storage.read(row.fileKey)),
      mediaType: row.mediaType ?? undefined,
      lastModified: row.lastModified ?? undefined,
    };
  }
  if (row.source === 'url' && row.url !== null) {
    const { body, ...answer } = await fetchUrl(row.url, { maxBytes, ...(signal && { signal }) });
    return { ...answer, bytes: await collect(body), isWeb: true };
  }
  throw new IngestionError(
    'storage_not_supported',
    `Reading from ${row.storageType ?? 'storage'} is not supported yet: upload the file, or give a url or documentContent.`,
  );
}

async function collect(stream: Readable | AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part as Uint8Array);
  return Buffer.concat(parts);
}
