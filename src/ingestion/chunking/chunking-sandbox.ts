import { z } from 'zod';
import { currentSpan } from '../../tracing/spans.js';
import type { ToExtract } from '../extraction/extraction-step.js';
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

const toExtract: z.ZodType<ToExtract> = z.discriminatedUnion('extraction', [
  z.object({ extraction: z.literal('needed') }),
  z.object({ extraction: z.literal('collected'), subType: z.string() }),
]);
const stepResult = z.union([toExtract, chunkingResult]);

/** A sandbox that makes chunks, and whose results are checked. */
export function createChunkingSandbox(options: Parameters<typeof createSandbox>[0]): ChunkingSandbox {
  const { run, close } = createSandbox<ChunkingTask, unknown>(options);
  const runStep: ChunkingSandbox['runStep'] = async (task, handlers) => {
    const result = stepResult.parse(await run(task, handlers));
    if ('extraction' in result) return result;
    const { subType, chunkCount } = result;
    currentSpan()?.event('parsed', { 'lectern.sub_type': subType, 'lectern.chunks': chunkCount });
    return result;
  };
  return {
    runStep,
    run: async (task, handlers) => chunkingResult.parse(await runStep(task, handlers)),
    close,
  };
}
