/** Entry point of the sandboxed process that reads sitemaps. */
import { decodeStream } from '@lectern/file-to-markdown';
import { serveTasks } from '../sandbox/serve-tasks.js';
import { gunzipFile } from './gunzip-file.js';
import type { SitemapResult, SitemapTask } from './protocol.js';
import { readEntries } from './read-entries.js';
import { MAX_FILE_BYTES } from './sandbox-limits.js';

serveTasks<SitemapTask, SitemapResult>(async ({ path, sitemapLimits }, { onBatch }) => {
  const bytes = await gunzipFile(path, MAX_FILE_BYTES);
  return readEntries(decodeStream(bytes), sitemapLimits, onBatch);
});
