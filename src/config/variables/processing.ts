import { availableParallelism } from 'node:os';
import { z } from 'zod';
import {
  DEFAULT_CHUNK_SIZE,
  MAX_CHUNK_SIZE,
  MIN_CHUNK_SIZE,
} from '../../services/documents/chunking.schema.js';
import { group } from './group.js';

/** How documents are processed. */
export const processing = group({
  title: 'Processing of documents',
  note: 'Memory, processor time and chunks are for the largest document. Smaller ones get less. A document that exceeds a limit fails.',
  variables: {
    INGEST_CONCURRENCY: z.coerce
      .number()
      .int()
      .min(1)
      .max(64)
      .default(Math.max(1, availableParallelism() - 1))
      .meta({
        description:
          'Files parsed at a time, plus one more of at most 256 KiB. Also the maximum of documents of one tenant in progress.',
        fallback: 'one less than the number of processors, at least 1',
        examples: ['1'],
      }),
    INGEST_MEMORY_MB: z.coerce
      .number()
      .int()
      .min(512)
      .max(65_536)
      .default(1_536)
      .describe('Memory of each parser process, in MiB.'),
    INGEST_TIMEOUT_SECONDS: z.coerce
      .number()
      .int()
      .min(1)
      .max(86_400)
      .default(1_800)
      .describe('Processor time for the largest document.'),
    MAX_CHUNKS_PER_DOCUMENT: z.coerce
      .number()
      .int()
      .min(1)
      .max(10_000_000)
      .default(250_000)
      .describe('Maximum chunks of a document.'),
    CHUNK_SIZE: z.coerce
      .number()
      .int()
      .min(MIN_CHUNK_SIZE)
      .max(MAX_CHUNK_SIZE)
      .default(DEFAULT_CHUNK_SIZE)
      .describe('Maximum characters of a chunk, unless the document says otherwise.'),
    CHUNK_OVERLAP: z.coerce
      .number()
      .int()
      .min(0)
      .max(MAX_CHUNK_SIZE / 2)
      .default(100)
      .describe('Characters that a chunk repeats from the previous one, at most half of CHUNK_SIZE.'),
    CHUNK_COMMENTS: z
      .enum(['keep', 'drop'])
      .default('keep')
      .describe('Whether comments in Word, PowerPoint and Excel files are part of the chunks.'),
  },
});
