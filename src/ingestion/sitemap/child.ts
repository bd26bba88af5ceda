/** The program that reads sitemaps: like that which reads documents, it runs apart from the server. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { decodeStream } from '../decode-text.js';
import { toFailure } from '../ingestion-error.js';
import { followParent } from '../sandbox/follow-parent.js';
import { LINES, OUTPUT_DESCRIPTOR } from '../sandbox/protocol.js';
import type { SitemapTask } from './protocol.js';
import { readEntries } from './read-entries.js';
import { unpackedFile } from './unpacked-file.js';

/** What the sitemap protocol allows of one file, unpacked. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

const output = createWriteStream('', { fd: OUTPUT_DESCRIPTOR });

async function write(kind: keyof typeof LINES, value: unknown): Promise<void> {
  if (!output.write(`${LINES[kind]}${JSON.stringify(value)}\n`)) await once(output, 'drain');
}

async function work(task: SitemapTask): Promise<void> {
  try {
    const bytes = await unpackedFile(task.path, MAX_FILE_BYTES);
    await write(
      'done',
      await readEntries(decodeStream(bytes), task.wanted, (batch) => write('chunks', batch)),
    );
  } catch (error) {
    const { code, message, retryable } = toFailure(error, 'parsing');
    if (code === 'internal') console.error(error);
    await write('failed', { code, message, retryable });
  }
}

followParent();
process.on('message', (task: SitemapTask) => void work(task));
process.on('disconnect', () => process.exit());
