/** Entry point of the sandboxed process that makes chunks of files. */

import type { ToExtract } from '../extraction/extraction-step.js';
import { serveTasks } from '../sandbox/serve-tasks.js';
import type { ChunkingResult, ChunkingTask } from './chunking-task.js';
import { chunkFile } from './draft-chunks.js';

serveTasks<ChunkingTask, ChunkingResult | ToExtract>((task, output) =>
  chunkFile(task, { ...output, onPicture: output.onBatch }),
);
