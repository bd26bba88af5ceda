import { createHash } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { termsOf } from '../search/ranking/chunk-terms.js';
import { chunksOf, tooManyChunks } from './file-limits.js';
import { makeChunks } from './make-chunks.js';
import { parse } from './parse/index.js';
import type { Outcome, Task } from './sandbox/protocol.js';
import { bytesOfFile } from './source-bytes.js';
import { TextBudget } from './text-budget.js';

const BATCH_CHUNKS = 100;
const BATCH_CHARACTERS = 256 * 1024;

/** A row of `chunk_drafts`, without what tells whose it is. */
interface DraftRow {
  ordinal: number;
  id: string;
  source_hash: string;
  content: string;
  content_complement: string;
  keywords: Record<string, number>;
  metadata: object;
  terms: string;
  terms_length: number;
  analyzer: number;
}

/**
 * Reads a file and makes its chunks, with the terms they are found by, in batches. What is held does not grow with
 * the number of chunks.
 *
 * @throws ParseError when the file gives no text; IngestionError when it gives more than it may
 */
export async function draftChunks(
  task: Task,
  {
    onProgress,
    onBatch,
  }: { onProgress: (fraction: number) => void; onBatch: (rows: DraftRow[]) => Promise<void> },
): Promise<Outcome> {
  const { limits } = task;
  const read = new TextBudget(limits.characters);
  const made = new TextBudget(limits.characters);
  const { subType, mediaType, title, ...parsed } = await parse({
    source: await bytesOfFile(task.path),
    ...(task.fileName !== undefined && { fileName: task.fileName }),
    ...(task.mediaType !== undefined && { mediaType: task.mediaType }),
    budget: read,
    onProgress,
  });
  const chunks = makeChunks(
    { subType, mediaType, ...(title !== undefined && { title }), ...parsed },
    { fileName: task.documentName, lastModified: new Date(task.lastModified), chunking: task.chunking },
  );
  let chunkCount = 0;
  let batch: DraftRow[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    if (chunkCount >= Math.min(limits.chunks, chunksOf(read.used))) throw tooManyChunks();
    made.spend(chunk.content.length + chunk.contentComplement.length);
    const { terms, length, analyzer } = await termsOf(task.tenantId, chunk);
    batch.push({
      ordinal: chunkCount++,
      id: uuid(),
      source_hash: createHash('sha256').update(chunk.content).digest('base64url'),
      content: chunk.content,
      content_complement: chunk.contentComplement,
      keywords: chunk.keywords,
      metadata: chunk.metadata,
      terms,
      terms_length: length,
      analyzer,
    });
    size += chunk.content.length;
    if (batch.length < BATCH_CHUNKS && size < BATCH_CHARACTERS) continue;
    await onBatch(batch);
    batch = [];
    size = 0;
  }
  if (batch.length > 0) await onBatch(batch);
  return { subType, mediaType, title, chunkCount };
}
