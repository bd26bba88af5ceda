/** The parser and splitter without anything around them: makes chunks of the files that it is sent the paths of. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { chunkFile } from '../../../src/ingestion/chunking/draft-chunks.js';
import { fileLimits } from '../../../src/ingestion/limits/file-limits.js';
import { DEFAULT_CHUNK_SIZE } from '../../../src/services/documents/chunking.schema.js';

process.on('message', async (files: string[]) => {
  const begin = performance.now();
  let chunks = 0;
  for (const file of files) chunks += await chunk(file);
  process.send?.({ milliseconds: performance.now() - begin, chunks });
});

async function chunk(file: string): Promise<number> {
  const { size } = await stat(file);
  const task = {
    path: file,
    size,
    limits: fileLimits(size, { chunks: 250_000, processorMs: 1_800_000 }),
    fileName: path.basename(file),
    documentName: path.basename(file),
    lastModified: new Date().toISOString(),
    chunking: { size: DEFAULT_CHUNK_SIZE, overlap: 100 },
  };
  const result = await chunkFile(task, { onProgress: () => {}, onBatch: async () => {} });
  return 'chunkCount' in result ? result.chunkCount : 0;
}
