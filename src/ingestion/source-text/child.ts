/** Entry point of the sandboxed process that reads the text of files again, to show it. */
import type { Collected } from '../extraction/extraction-step.js';
import { serveTasks } from '../sandbox/serve-tasks.js';
import { placeChunks } from './place-chunks.js';
import type { SourceTextResult, SourceTextTask } from './protocol.js';

serveTasks<SourceTextTask, SourceTextResult | Collected>(placeChunks);
