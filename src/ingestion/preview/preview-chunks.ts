import type { ExtractionMode } from '../../../db/schema.js';
import { createConcurrencyLimit } from '../../async/concurrency-limit.js';
import { withDeadline } from '../../async/linked-signals.js';
import { DomainError, type InputPath, invalid, tooManyRequests, unavailable } from '../../errors/errors.js';
import { FetchError } from '../../outbound-http/fetch-error.js';
import {
  type ChunkingResult,
  type ChunkingSandbox,
  type ChunkingTask,
  toChunkingTask,
} from '../chunking/chunking-task.js';
import { IngestionError, isServiceOutage } from '../ingestion-error.js';
import type { ProcessDependencies } from '../process-document.js';
import type { SandboxHandlers } from '../sandbox/sandbox.js';
import { readSource, type SourceFile, type SourceRow } from '../sources/read-source.js';
import {
  MAX_COUNTED_CHUNKS,
  MAX_PREVIEW_BYTES,
  MAX_PREVIEW_FILE,
  MAX_PREVIEW_PICTURES,
  PREVIEW_FILE_LIMITS,
  PREVIEW_TIMEOUT_MS,
} from './preview-limits.js';

/** Previews that this process makes at once, one of each tenant; further ones wait. */
const CONCURRENCY = 2;
/** Queued requests per tenant. */
const MAX_WAITING = 5;

export interface PreviewDependencies
  extends Pick<ProcessDependencies, 'extraction' | 'sourceOptions' | 'chunking' | 'clock'> {
  sandbox: Pick<ChunkingSandbox, 'run' | 'runStep'>;
}

/** A source, as it would be stored, and what is wanted of it. */
export interface PreviewRequest {
  tenantId: string;
  source: Omit<SourceRow, 'lastModified' | 'etag' | 'httpLastModified'>;
  /** The field that an error is about. */
  path: InputPath;
  chunking: ProcessDependencies['chunking'] | null;
  /** Default: `auto`. */
  extraction?: ExtractionMode | undefined;
  limit: number;
  /** Fires when the client disconnects. */
  signal?: AbortSignal | undefined;
}

/** The drafts that the sandbox sends, with what a preview shows of them. */
interface DraftedChunk {
  content: string;
  content_complement: string;
  keywords: Record<string, number>;
  metadata: { page_number?: number; extracted_by?: string };
}

/** Makes chunks of a source as processing does, and stores nothing. */
export function createPreviewChunks({
  sandbox,
  extraction,
  sourceOptions,
  chunking,
  clock,
}: PreviewDependencies) {
  const limit = createConcurrencyLimit({ perKey: 1, total: CONCURRENCY });

  /**
   * @throws DomainError `invalid` about the source; `unavailable` where it takes too long; `too_many_requests` where the
   *   tenant has more waiting than it may
   */
  return async function previewChunks({ signal: caller, ...request }: PreviewRequest) {
    const { tenantId } = request;
    if (limit.countWaiting(tenantId) >= MAX_WAITING) throw tooManyWaiting();
    const run = (signal: AbortSignal) => limit.run(tenantId, () => preview(request, signal), signal);
    try {
      return await withDeadline(PREVIEW_TIMEOUT_MS, caller, run, tookTooLong);
    } catch (error) {
      if (caller?.aborted) throw unavailable('Nobody waits for the preview any more.', error);
      throw toDomainError(error, request.path);
    }
  };

  async function preview(request: Omit<PreviewRequest, 'signal'>, signal: AbortSignal) {
    const unread = { lastModified: null, etag: null, httpLastModified: null };
    const options = { ...sourceOptions, maxBytes: MAX_PREVIEW_BYTES, ignoreValidators: true, signal };
    const source = (await readSource({ ...request.source, ...unread }, options)) as SourceFile;
    try {
      if (source.size > MAX_PREVIEW_BYTES) throw tooLarge();
      return await makeChunks(request, source, signal);
    } finally {
      await source.dispose();
    }
  }

  /** Of pages that only an engine can read, the first ones. */
  async function chunkFile(
    { tenantId, extraction: mode = 'auto' }: Pick<PreviewRequest, 'tenantId' | 'extraction'>,
    task: ChunkingTask,
    handlers: SandboxHandlers,
  ): Promise<ChunkingResult> {
    const wanted = extraction?.scopeOf(mode);
    if (!extraction || !wanted) return sandbox.run(task, handlers);
    const scope = task.size > MAX_PREVIEW_FILE ? { ...wanted, files: [] } : wanted;
    const result = await sandbox.runStep({ ...task, extraction: { step: 'ask', scope } }, handlers);
    if (!('extraction' in result)) return result;
    const options = { scope, isLastAttempt: true, most: MAX_PREVIEW_PICTURES, sandbox };
    return extraction.chunkFile({ tenantId, documentId: NO_DOCUMENT }, task, { ...handlers, ...options });
  }

  async function makeChunks(
    request: Omit<PreviewRequest, 'signal'>,
    source: SourceFile,
    signal: AbortSignal,
  ) {
    const { source: described, chunking: wishes, limit } = request;
    const { documentName } = described;
    const document = { documentName, createdTime: clock(), chunking: wishes };
    const task = toChunkingTask(document, source, { chunking, maxFile: PREVIEW_FILE_LIMITS });
    const drafts: DraftedChunk[] = [];
    let chunkCount = 0;
    let result: ChunkingResult | undefined;
    try {
      result = await chunkFile(request, task, {
        signal,
        onProgress: () => {},
        onBatch: async (batch) => {
          const made = JSON.parse(batch) as DraftedChunk[];
          drafts.push(...made.slice(0, limit - drafts.length));
          chunkCount += made.length;
          if (chunkCount >= MAX_COUNTED_CHUNKS) throw new EnoughChunks();
        },
      });
    } catch (error) {
      if (!(error instanceof EnoughChunks)) throw error;
    }
    return {
      subType: result?.subType ?? null,
      chunkCount,
      truncated: result === undefined,
      warnings: result?.warnings ?? null,
      chunks: drafts.map(({ content, content_complement, keywords, metadata }, ordinal) => ({
        ordinal,
        content,
        contentComplement: content_complement,
        keywords,
        page: metadata.page_number ?? null,
        ...(metadata.extracted_by !== undefined && { extractedBy: metadata.extracted_by }),
      })),
    };
  }
}

/** Texts of extraction are kept with a document, and there is none. */
const NO_DOCUMENT = '';

/** The child is ended: what else the file has is not wanted. */
class EnoughChunks extends Error {}

function toDomainError(error: unknown, path: InputPath): unknown {
  if (error instanceof DomainError) return error;
  const isOfSource = error instanceof IngestionError || error instanceof FetchError;
  if (!isOfSource) return error;
  if (isServiceOutage(error)) return unavailable(error.message, error);
  return invalid(error.message, path, `value_error.${error.code}`);
}

const tooLarge = () =>
  new IngestionError(
    'too_large',
    `Only files up to ${MAX_PREVIEW_BYTES / 2 ** 20} MiB can be previewed; larger ones can be added all the same.`,
  );
const tooManyWaiting = () =>
  tooManyRequests('Too many previews of this tenant wait to be made; try again in a moment.');
const tookTooLong = () =>
  unavailable('The preview took too long. You can add the document without a preview, or try again later.');
