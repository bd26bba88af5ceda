import type { ChunkingOptions } from '../../../db/schema.js';
import type { SandboxTask } from '../sandbox/protocol.js';
import type { Sandbox } from '../sandbox/sandbox.js';

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
}

export interface ChunkingResult {
  subType: string;
  mediaType: string;
  title?: string | undefined;
  chunkCount: number;
}

export type ChunkingSandbox = Sandbox<ChunkingTask, ChunkingResult>;
