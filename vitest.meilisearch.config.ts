import { defineConfig } from 'vitest/config';
import base from './vitest.config.js';

/** What concerns the search server, run against a real one. Each test file has indexes of its own there. */
export default defineConfig({
  test: {
    ...base.test,
    globalSetup: ['test/support/require-meilisearch.ts', 'test/support/global-setup.ts'],
    env: { MEILI_URL: process.env.MEILI_URL ?? '', MEILI_ADMIN_KEY: process.env.MEILI_ADMIN_KEY ?? '' },
    include: ['test/contract/meilisearch-double.test.ts', 'test/integration/search-*.test.ts'],
    maxWorkers: 1,
  },
});
