import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

/** Beside their source, but they need a database, or what `npm run build` made. */
const MORE_THAN_UNITS = [
  'src/auth/api-key-status.test.ts',
  'src/rate-limit/bucket-stores.test.ts',
  'src/outbound-http/fetch-url-addresses.test.ts',
  'src/ingestion/sandbox/sandbox.test.ts',
  'src/ingestion/sitemap/read-sitemap.test.ts',
];

/** What all tests have in common, those of the other configurations too. */
export const common = {
  // Against a real search server the tests are run by `npm run test:meilisearch` alone.
  env: { MEILI_URL: '' },
  // Only what hangs takes so long, on a busy machine too; waitFor gives up before, and says what it waited for.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
};
/** A server with a template for every test's database. */
export const withDatabase = { ...common, globalSetup: ['test/support/global-setup.ts'] };

export default defineConfig({
  test: {
    // Most tests wait for a process or the database rather than for a processor.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        test: {
          ...common,
          name: 'unit',
          include: ['{bench,db,src,web/src,packages/*/src,packages/*/bench}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...MORE_THAN_UNITS],
        },
      },
      {
        test: {
          ...withDatabase,
          name: 'integration',
          include: ['{test,packages/*/test}/**/*.test.ts', ...MORE_THAN_UNITS],
          // Generated clients and what is installed need the package registries; `npm run test:clients` runs them.
          // The console needs its build and a browser; `npm run test:console` runs its tests.
          exclude: [...configDefaults.exclude, 'test/clients/**', 'test/console/**'],
        },
      },
    ],
  },
});
