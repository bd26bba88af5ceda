/**
 * Entry point of the sandboxed parser process for untrusted files: it has no secrets and is killed when it
 * exceeds its limits.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chunkFile } from '../chunking/draft-chunks.js';
import { toDocumentFailure } from '../ingestion-error.js';
import { exitWithParent } from './exit-with-parent.js';
import { type ChunkingTask, MESSAGE_TYPES, OUTPUT_FD } from './protocol.js';

const PROGRESS_INTERVAL_MS = 200;

const output = createWriteStream('', { fd: OUTPUT_FD });

async function write(kind: keyof typeof MESSAGE_TYPES, json: string): Promise<void> {
  if (!output.write(`${MESSAGE_TYPES[kind]}${json}\n`)) await once(output, 'drain');
}

async function work(task: ChunkingTask): Promise<void> {
  let reported = 0;
  const onProgress = (fraction: number) => {
    const now = Date.now();
    if (now - reported < PROGRESS_INTERVAL_MS) return;
    reported = now;
    output.write(`${MESSAGE_TYPES.progress}${fraction.toFixed(4)}\n`);
  };
  try {
    const outcome = await chunkFile(task, {
      onProgress,
      onBatch: (rows) => write('chunks', JSON.stringify(rows)),
    });
    await write('done', JSON.stringify(outcome));
  } catch (error) {
    const { code, message, retryable } = toDocumentFailure(error, 'parsing');
    // The parent logs standard error.
    if (code === 'internal') console.error(error);
    await write('failed', JSON.stringify({ code, message, retryable }));
  }
}

exitWithParent();
process.on('message', (task: ChunkingTask) => void work(task));
process.on('disconnect', () => process.exit());
