import { defineConfig } from 'vitest/config';
import base from './vitest.config.js';

const { MEILI_URL, MEILI_ADMIN_KEY } = process.env;
if (!MEILI_URL || !MEILI_ADMIN_KEY) {
  throw new Error('Set MEILI_URL and MEILI_ADMIN_KEY to a running Meilisearch server and its master key.');
}

/** What concerns the search server, run against a real one. Each test file has indexes of its own there. */
export default defineConfig({
  test: {
    ...base.test,
    env: { MEILI_URL, MEILI_ADMIN_KEY },
    include: ['test/contract/meilisearch-double.test.ts', 'test/integration/search-*.test.ts'],
    maxWorkers: 1,
  },
});
