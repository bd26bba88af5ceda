/** Entry point of the sandboxed process that makes chunks of files. */

import type { ToExtract } from '../extraction/extraction-step.js';
import { EngineNeeded } from '../extraction/parse-step.js';
import { serveTasks } from '../sandbox/serve-tasks.js';
import type { ChunkingResult, ChunkingTask } from './chunking-task.js';
import { chunkFile } from './draft-chunks.js';

serveTasks<ChunkingTask, ChunkingResult | ToExtract>(async (task, output) => {
  try {
    return await chunkFile(task, { ...output, onPicture: output.onBatch });
  } catch (error) {
    if (error instanceof EngineNeeded) return { extraction: 'needed' };
    throw error;
  }
});
