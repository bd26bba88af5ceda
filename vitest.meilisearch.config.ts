import { defineConfig } from 'vitest/config';
import { withDatabase } from './vitest.config.js';

/** What concerns the search server, run against a real one. Each test file has indexes of its own there. */
export default defineConfig({
  test: {
    ...withDatabase,
    globalSetup: ['test/support/require-meilisearch.ts', ...withDatabase.globalSetup],
    env: { MEILI_URL: process.env.MEILI_URL ?? '', MEILI_ADMIN_KEY: process.env.MEILI_ADMIN_KEY ?? '' },
    include: ['test/contract/meilisearch-double.test.ts', 'test/integration/search-*.test.ts'],
    maxWorkers: 1,
  },
});
