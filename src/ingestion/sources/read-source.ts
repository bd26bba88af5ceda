import { rm, stat } from 'node:fs/promises';
import { makeFolder, PRIVATE } from '../../../db/folders.js';
import { textParts } from '../../async/text-parts.js';
import { DomainError } from '../../errors/errors.js';
import { fetchUrl } from '../../outbound-http/fetch-url.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { fileMissingError, IngestionError, ServiceOutageError } from '../ingestion-error.js';
import type { OpenObject } from './buckets/open-object.js';
import { hashFile, writeTempFile } from './temp-file.js';

/** The source of a document, from its rows. */
export interface SourceRow {
  source: string;
  content: string | null;
  fileKey: string | null;
  fileName: string | null;
  mediaType: string | null;
  lastModified: Date | null;
  documentName: string | null;
  storageType: string | null;
  storageBucket: string | null;
  storagePath: string | null;
  url: string | null;
  /** Validators of the version processed last (RFC 9110). */
  etag: string | null;
  httpLastModified: string | null;
}

export interface ReadSourceOptions {
  storage: FileStorage;
  /** Opens objects of the buckets that documents name. */
  openObject?: OpenObject | undefined;
  /** Directory of temporary files. */
  tempDir: string;
  maxBytes: number;
  /** Timeout of a whole HTTP exchange, in milliseconds. */
  fetchTimeoutMs?: number;
  /** Hosts that may have private addresses. */
  fetchAllowHosts?: string[];
  /** Reads the source even if it has not been modified. */
  ignoreValidators?: boolean;
  signal?: AbortSignal | undefined;
}

/** Metadata of a source. */
interface SourceMetadata {
  fileName?: string | undefined;
  mediaType?: string | undefined;
  lastModified?: Date | undefined;
  etag?: string | undefined;
  httpLastModified?: string | undefined;
}

export interface SourceFile extends SourceMetadata {
  notModified?: false;
  path: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
  /** Whether it came from a web address. */
  isFromUrl: boolean;
  /** Removes the file, unless it is the one that was uploaded. */
  dispose(): Promise<void>;
}

/** The source has not been modified since it was processed. */
export interface NotModified {
  notModified: true;
}

/**
 * Reads a document's source into a local file.
 *
 * @throws IngestionError or FetchError with the reason and whether a retry may help
 */
export async function readSource(
  row: SourceRow,
  options: ReadSourceOptions,
): Promise<SourceFile | NotModified> {
  // Before any stream is opened: one that fails while nobody reads it yet would end the process.
  await makeFolder(options.tempDir, PRIVATE);
  if (row.source === 'content' && row.content !== null) {
    const metadata = { fileName: row.documentName ?? undefined };
    return toTempFile(encodeParts(row.content), metadata, {
      ...options,
      maxBytes: Number.POSITIVE_INFINITY,
    });
  }
  if (row.source === 'file' && row.fileKey !== null) return readUpload(row, row.fileKey, options);
  if (row.source === 'url' && row.url !== null) return readUrl(row, row.url, options);
  return readObject(row, options);
}

async function readUpload(row: SourceRow, fileKey: string, options: ReadSourceOptions): Promise<SourceFile> {
  const { storage, signal } = options;
  const metadata = {
    fileName: row.fileName ?? row.documentName ?? undefined,
    mediaType: row.mediaType ?? undefined,
    lastModified: row.lastModified ?? undefined,
  };
  try {
    const path = storage.pathOf?.(fileKey);
    if (path === undefined) return await toTempFile(storage.read(fileKey), metadata, options);
    const [{ size }, sha256] = await Promise.all([stat(path), hashFile(path, signal)]);
    return { ...metadata, path, size, sha256, isFromUrl: false, dispose: async () => {} };
  } catch (error) {
    signal?.throwIfAborted();
    throw uploadError(error);
  }
}

async function readUrl(
  row: SourceRow,
  url: string,
  options: ReadSourceOptions,
): Promise<SourceFile | NotModified> {
  const { maxBytes, signal, fetchTimeoutMs, fetchAllowHosts, ignoreValidators } = options;
  const { body, notModified, ...metadata } = await fetchUrl(url, {
    maxBytes,
    ...(fetchTimeoutMs !== undefined && { timeoutMs: fetchTimeoutMs }),
    ...(fetchAllowHosts && { allowHosts: fetchAllowHosts }),
    ...(signal && { signal }),
    ...(!ignoreValidators && {
      validators: { etag: row.etag ?? undefined, httpLastModified: row.httpLastModified ?? undefined },
    }),
  });
  if (notModified) return { notModified: true };
  return { ...(await toTempFile(body, metadata, options)), isFromUrl: true };
}

async function readObject(row: SourceRow, options: ReadSourceOptions): Promise<SourceFile | NotModified> {
  const { storageType, storageBucket: bucket, storagePath: path } = row;
  if (!options.openObject || !bucket || !path || (storageType !== 's3' && storageType !== 'gcs')) {
    const message = 'It is not known which store the bucket is in; give storageType as s3 or gcs.';
    throw new IngestionError('storage_not_supported', message);
  }
  const { signal, maxBytes } = options;
  const etag = options.ignoreValidators ? undefined : (row.etag ?? undefined);
  const opened = await options.openObject({ storageType, bucket, path }, { maxBytes, etag, signal });
  if (!opened) return { notModified: true };
  const { body, ...metadata } = opened;
  return toTempFile(body, { fileName: path.split('/').at(-1), ...metadata }, options);
}

async function* encodeParts(text: string): AsyncGenerator<Uint8Array> {
  for (const part of textParts(text)) yield Buffer.from(part);
}

async function toTempFile(
  body: AsyncIterable<Uint8Array>,
  metadata: SourceMetadata,
  options: ReadSourceOptions,
): Promise<SourceFile> {
  const file = await writeTempFile(body, options);
  return { ...metadata, ...file, isFromUrl: false, dispose: () => rm(file.path, { force: true }) };
}

function uploadError(error: unknown): unknown {
  const { code } = error as { code?: unknown };
  if (code === 'not_found' || code === 'ENOENT') return fileMissingError();
  if (!(error instanceof DomainError)) return error;
  const failure = 'storage_unavailable';
  return error.code === 'unavailable'
    ? new ServiceOutageError(failure, error.message, { cause: error })
    : new IngestionError(failure, error.message);
}
