import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { notOnACluster } from './test/citus/not-on-a-cluster.js';

/** Beside their source, but they need a database, or what `npm run build` made. */
const MORE_THAN_UNITS = 'src/**/*.integration.test.ts';
/** Programs, parser processes on real files, processes that crash, and faults of what they depend on. */
const OF_PROCESSES = [
  'test/{e2e,package,releases}/**/*.test.ts',
  'packages/embedded-postgres/test/**/*.test.ts',
];

/** Takes longest, but is small: Vitest, which begins with large files, would run it alone at the end. */
const LONGEST = 'test/e2e/guide/guide.test.ts';

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith(LONGEST);
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((one) => !isLongest(one))];
  }
}

const common = {
  unstubEnvs: true,
  restoreMocks: true,
  // Against a real search server the tests are run by `npm run test:meilisearch` alone.
  env: { MEILI_URL: '' },
  // Only what hangs takes so long, on a busy machine too; waitFor gives up before, and says what it waited for.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
  // Most tests wait for a process or the database rather than for a processor.
  maxWorkers: Math.max(4, availableParallelism()),
};
/** A server with a template for every test's database. */
const withDatabase = { ...common, globalSetup: ['test/support/global-setup.ts'] };

const projects = [
  {
    ...common,
    name: 'unit',
    isolate: false,
    include: ['{bench,db,src,web/src,packages/*/src,packages/*/bench}/**/*.test.ts'],
    exclude: [...configDefaults.exclude, MORE_THAN_UNITS],
  },
  {
    ...withDatabase,
    name: 'integration',
    // The files of a worker share its modules: loading them took longer than most tests.
    isolate: false,
    include: [
      'test/{chaos,contract,integration,support}/**/*.test.ts',
      'packages/file-to-markdown/test/**/*.test.ts',
      MORE_THAN_UNITS,
    ],
  },
  { ...withDatabase, name: 'e2e', include: OF_PROCESSES },
  // The source itself and the files beside it. One of them records what modules do when they are loaded.
  { ...common, name: 'tools', include: ['test/tools/**/*.test.ts'] },
  // What `npm run build` made, in a browser.
  {
    ...withDatabase,
    name: 'console',
    include: ['test/console/*.test.ts'],
    maxWorkers: 2,
    // Projects with other numbers of workers are a group of their own.
    sequence: { groupOrder: 1 },
  },
  // What others install or generate, which comes from the package registries: the tarball, front ends, clients.
  { ...withDatabase, name: 'clients', include: ['test/clients/*.test.ts'] },
];

const onCluster = {
  ...withDatabase,
  // Each statement takes several times as long.
  testTimeout: 900_000,
  hookTimeout: 900_000,
  globalSetup: ['test/support/require-citus.ts', ...withDatabase.globalSetup, 'test/citus/check-routes.ts'],
  setupFiles: ['test/citus/record-statements.ts'],
};

/** Only where they are asked for by name: they need servers, and the last writes into the checkout. */
const onRequest = [
  // What concerns the search server, run against a real one. Each test file has indexes of its own there.
  {
    ...withDatabase,
    name: 'meilisearch',
    globalSetup: ['test/support/require-meilisearch.ts', ...withDatabase.globalSetup],
    env: { MEILI_URL: process.env.MEILI_URL ?? '', MEILI_ADMIN_KEY: process.env.MEILI_ADMIN_KEY ?? '' },
    include: ['test/contract/meilisearch-double.test.ts', 'test/{integration,e2e}/search-*.test.ts'],
    maxWorkers: 1,
  },
  // Whatever uses a database, on a cluster of PostgreSQL servers with Citus.
  {
    ...onCluster,
    name: 'citus',
    isolate: false,
    include: ['test/{citus,contract,integration}/**/*.test.ts', 'src/**/*.integration.test.ts'],
  },
  {
    ...onCluster,
    name: 'citus-e2e',
    include: ['test/e2e/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      ...notOnACluster.flatMap(({ files, tests }) => (tests === undefined ? [files] : [])),
    ],
    sequence: { groupOrder: 1 },
  },
  // The dump of this version, which later versions are tested with.
  { ...withDatabase, name: 'dump', include: ['test/releases/write-dump.ts'] },
].filter(({ name }) => process.argv.includes(name));

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [...projects, ...onRequest].map((test) => ({ test })),
  },
});
