import type { ChunkingOptions, DocumentWarning } from '../../../db/schema.js';
import type { ExtractionStep, ToExtract } from '../extraction/extraction-step.js';
import { fileLimits } from '../limits/file-limits.js';
import type { SandboxTask } from '../sandbox/protocol.js';
import type { SandboxHandlers } from '../sandbox/sandbox.js';

/** A file to be made into chunks. */
export interface ChunkingTask extends SandboxTask {
  /** The text, where there is no file. */
  text?: string | undefined;
  fileName?: string | undefined;
  mediaType?: string | undefined;
  /** What the chunks' metadata call the document. */
  documentName: string;
  /** ISO 8601. */
  lastModified: string;
  chunking: ChunkingOptions;
  /** What to do with pages that only an engine can read. */
  extraction?: ExtractionStep | undefined;
}

export interface ChunkingResult {
  subType: string;
  mediaType: string;
  chunkCount: number;
  /** What the chunks lack of the file. */
  warnings: DocumentWarning[];
  /** Keys of what an extraction engine has read of it. */
  extracted?: string[];
}

export interface ChunkingSandbox {
  /** @throws IngestionError saying why the file cannot be read; the reason of `signal`; what `onBatch` throws */
  run(task: ChunkingTask, handlers: SandboxHandlers): Promise<ChunkingResult>;
  /** As `run`, of a task that may end with pages for an engine. */
  runStep(task: ChunkingTask, handlers: SandboxHandlers): Promise<ChunkingResult | ToExtract>;
  close(): Promise<void>;
}

/** What a task needs of a source: a file or its text. */
interface TaskSource extends Pick<ChunkingTask, 'path' | 'text' | 'size' | 'fileName' | 'mediaType'> {
  lastModified?: Date | undefined;
}

interface TaskDocument {
  documentName: string | null;
  createdTime: Date;
  /** Its own options, if any. */
  chunking: ChunkingOptions | null;
}

/** The task of making chunks of a document's source. */
export function toChunkingTask(
  document: TaskDocument,
  source: TaskSource,
  { chunking, maxFile }: { chunking: ChunkingOptions; maxFile: { chunks: number; processorMs: number } },
): ChunkingTask {
  const { path, text, size, fileName, mediaType, lastModified } = source;
  return {
    path,
    text,
    size,
    fileName,
    mediaType,
    limits: fileLimits(size, maxFile),
    documentName: document.documentName ?? fileName ?? '',
    lastModified: (lastModified ?? document.createdTime).toISOString(),
    chunking: { ...chunking, ...document.chunking },
  };
}
