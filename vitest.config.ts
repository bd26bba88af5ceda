import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{db,src,test}/**/*.test.ts'],
    // Generated clients need the package registries; `npm run test:clients` runs them.
    exclude: [...configDefaults.exclude, 'test/clients/**'],
    globalSetup: ['test/support/global-setup.ts'],
    // Against a real search server the tests are run by `npm run test:meilisearch` alone.
    env: { MEILI_URL: '' },
    // Only what hangs takes so long, on a busy machine too; waitFor gives up before, and says what it waited for.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // Most tests wait for a process or the database rather than for a processor.
    maxWorkers: Math.max(3, availableParallelism()),
  },
});
