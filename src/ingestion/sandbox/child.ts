/**
 * The program that reads files nobody here wrote: it runs apart from the server, without its secrets, and is
 * killed when it takes too much.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { draftChunks } from '../draft-chunks.js';
import { toFailure } from '../ingestion-error.js';
import { followParent } from './follow-parent.js';
import { LINES, OUTPUT_DESCRIPTOR, type Task } from './protocol.js';

const PROGRESS_INTERVAL_MS = 200;

const output = createWriteStream('', { fd: OUTPUT_DESCRIPTOR });

async function write(kind: keyof typeof LINES, json: string): Promise<void> {
  if (!output.write(`${LINES[kind]}${json}\n`)) await once(output, 'drain');
}

async function work(task: Task): Promise<void> {
  let reported = 0;
  const onProgress = (fraction: number) => {
    const now = Date.now();
    if (now - reported < PROGRESS_INTERVAL_MS) return;
    reported = now;
    output.write(`${LINES.progress}${fraction.toFixed(4)}\n`);
  };
  try {
    const outcome = await draftChunks(task, {
      onProgress,
      onBatch: (rows) => write('chunks', JSON.stringify(rows)),
    });
    await write('done', JSON.stringify(outcome));
  } catch (error) {
    const { code, message, retryable } = toFailure(error, 'parsing');
    // Whoever runs the server reads the rest in its log.
    if (code === 'internal') console.error(error);
    await write('failed', JSON.stringify({ code, message, retryable }));
  }
}

followParent();
process.on('message', (task: Task) => void work(task));
process.on('disconnect', () => process.exit());
