import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{db,src,test}/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Most tests wait for a process or the database rather than for a processor.
    maxWorkers: Math.max(3, availableParallelism()),
  },
});
