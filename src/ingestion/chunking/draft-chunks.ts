import { createHash } from 'node:crypto';
import { sourceFromBuffer, TextBudget } from '@lectern/file-to-markdown';
import { v7 as uuid } from 'uuid';
import { analyzeChunk } from '../../search/indexing/chunk-terms.js';
import type { CollectedPicture, ToExtract } from '../extraction/extraction-step.js';
import { parseStep } from '../extraction/parse-step.js';
import { maxChunksFor, tooManyChunksError } from '../limits/file-limits.js';
import { sourceFromFile } from '../sources/source-file.js';
import { collectWarnings } from '../warnings/collect-warnings.js';
import type { ChunkingResult, ChunkingTask } from './chunking-task.js';
import { makeChunks } from './make-chunks.js';

const BATCH_CHUNKS = 100;
const BATCH_CHARACTERS = 256 * 1024;

/** A row of `chunk_drafts` without the ids of tenant, document and attempt. */
interface ChunkDraftRow {
  ordinal: number;
  id: string;
  source_hash: string;
  content: string;
  content_complement: string;
  keywords: Record<string, number>;
  metadata: object;
  terms: string;
  words: string;
  terms_length: number;
  analyzer: number;
}

/**
 * Parses a file and emits its chunks with their search terms in batches, with constant memory.
 *
 * @throws ParseError when the file gives no text; IngestionError when it gives more than it may
 */
export async function chunkFile(
  task: ChunkingTask,
  {
    onProgress,
    onBatch,
    onPicture = async () => {},
  }: {
    onProgress: (fraction: number) => void;
    onBatch: (rows: ChunkDraftRow[]) => Promise<void>;
    onPicture?: (picture: CollectedPicture) => Promise<void>;
  },
): Promise<ChunkingResult | ToExtract> {
  const { limits } = task;
  const textBudget = new TextBudget(limits.characters);
  const chunkBudget = new TextBudget(limits.characters);
  const warnings = collectWarnings();
  const parsed = await parseStep(
    task.extraction,
    {
      source:
        task.text === undefined ? await sourceFromFile(task.path) : sourceFromBuffer(Buffer.from(task.text)),
      ...(task.fileName !== undefined && { fileName: task.fileName }),
      ...(task.mediaType !== undefined && { mediaType: task.mediaType }),
      ...(task.chunking.comments !== undefined && { comments: task.chunking.comments }),
      textBudget,
      onProgress,
      warn: warnings.warn,
    },
    onPicture,
  );
  if ('extraction' in parsed) return parsed;
  const { subType, mediaType } = parsed;
  const chunks = makeChunks(parsed, {
    fileName: task.documentName,
    lastModified: new Date(task.lastModified),
    chunking: task.chunking,
  });
  let chunkCount = 0;
  let batch: ChunkDraftRow[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if (chunkCount >= Math.min(limits.chunks, maxChunksFor(textBudget.used))) throw tooManyChunksError();
    chunkBudget.spend(chunk.content.length + chunk.contentComplement.length);
    const { terms, words, length, analyzer } = analyzeChunk(chunk);
    batch.push({
      ordinal: chunkCount++,
      id: uuid(),
      source_hash: createHash('sha256').update(chunk.content).digest('base64url'),
      content: chunk.content,
      content_complement: chunk.contentComplement,
      keywords: chunk.keywords,
      metadata: chunk.metadata,
      terms,
      words,
      terms_length: length,
      analyzer,
    });
    size += chunk.content.length + chunk.contentComplement.length;
    if (batch.length < BATCH_CHUNKS && size < BATCH_CHARACTERS) continue;
    await onBatch(batch);
    batch = [];
    size = 0;
  }
  if (batch.length > 0) await onBatch(batch);
  return { subType, mediaType, chunkCount, warnings: warnings.list() };
}
