import { z } from 'zod';
import { currentSpan } from '../../tracing/spans.js';
import { createSandbox } from '../sandbox/sandbox.js';
import { documentWarnings } from '../warnings/document-warnings.js';
import type { ChunkingResult, ChunkingSandbox, ChunkingTask } from './chunking-task.js';

/** What reads foreign bytes may be made to say anything. */
const chunkingResult: z.ZodType<ChunkingResult> = z.object({
  subType: z.string(),
  mediaType: z.string(),
  title: z.string().optional(),
  chunkCount: z.int().nonnegative(),
  warnings: documentWarnings,
});

/** A sandbox that makes chunks, and whose results are checked. */
export function createChunkingSandbox(options: Parameters<typeof createSandbox>[0]): ChunkingSandbox {
  const { run, close } = createSandbox<ChunkingTask, unknown>(options);
  return {
    async run(task, handlers) {
      const result = chunkingResult.parse(await run(task, handlers));
      const { subType, chunkCount } = result;
      currentSpan()?.event('parsed', { 'lectern.sub_type': subType, 'lectern.chunks': chunkCount });
      return result;
    },
    close,
  };
}
