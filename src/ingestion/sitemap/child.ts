/** Entry point of the sandboxed process that reads sitemaps. */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { decodeStream } from '../decode-text.js';
import { toDocumentFailure } from '../ingestion-error.js';
import { exitWithParent } from '../sandbox/exit-with-parent.js';
import { MESSAGE_TYPES, OUTPUT_FD } from '../sandbox/protocol.js';
import { gunzipFile } from './gunzip-file.js';
import type { SitemapTask } from './protocol.js';
import { readEntries } from './read-entries.js';

/** What the sitemap protocol allows of one file, unpacked. */
const MAX_FILE_BYTES = 50 * 1024 * 1024;

const output = createWriteStream('', { fd: OUTPUT_FD });

async function write(kind: keyof typeof MESSAGE_TYPES, value: unknown): Promise<void> {
  if (!output.write(`${MESSAGE_TYPES[kind]}${JSON.stringify(value)}\n`)) await once(output, 'drain');
}

async function work(task: SitemapTask): Promise<void> {
  try {
    const bytes = await gunzipFile(task.path, MAX_FILE_BYTES);
    await write(
      'done',
      await readEntries(decodeStream(bytes), task.sitemapLimits, (batch) => write('chunks', batch)),
    );
  } catch (error) {
    const { code, message, retryable } = toDocumentFailure(error, 'parsing');
    if (code === 'internal') console.error(error);
    await write('failed', { code, message, retryable });
  }
}

exitWithParent();
process.on('message', (task: SitemapTask) => void work(task));
process.on('disconnect', () => process.exit());
