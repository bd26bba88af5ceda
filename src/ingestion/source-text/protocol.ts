import type { ChunkingOptions } from '../../../db/schema.js';
import type { ExtractionStep } from '../extraction/extraction-step.js';
import type { SandboxTask } from '../sandbox/protocol.js';

/** A file whose text is wanted, with the places of its chunks. */
export interface SourceTextTask extends SandboxTask {
  fileName?: string | undefined;
  mediaType?: string | undefined;
  chunking: ChunkingOptions;
  /** What to do with pages that an extraction engine has read. */
  extraction?: ExtractionStep | undefined;
}

/** A page of the source, or a part of a long one. */
export interface TextPart {
  /** Of the page, from 1. */
  number: number;
  /** Where in the whole text it begins. */
  start: number;
  text: string;
}

/** A chunk in the whole text: from where, to before where, and the hash of what is in between. */
export type ChunkPlace = [start: number, end: number, hash: string];

export interface SourceTextBatch {
  parts: TextPart[];
  places: ChunkPlace[];
}

export interface SourceTextResult {
  subType: string;
}
