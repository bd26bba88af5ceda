import { withTimeout } from '../../async/timeouts.js';
import { type Check, type Examined, type Finding, problem, skipped } from './check.js';
import { checkAccess } from './checks/access.js';
import { checkClocks } from './checks/clocks.js';
import { checkCluster } from './checks/cluster.js';
import { checkConfiguration } from './checks/configuration.js';
import { checkConnections } from './checks/connections.js';
import { checkConsoleSignIn } from './checks/console-sign-in.js';
import { checkDataFolder } from './checks/data-folder.js';
import { checkServer, checkSettings } from './checks/database.js';
import { checkDisk } from './checks/disk.js';
import { checkExtraction } from './checks/extraction.js';
import { checkMigrations } from './checks/migrations.js';
import { checkEmbedding, checkReranking } from './checks/models.js';
import { checkNode } from './checks/node.js';
import { checkOpenFiles } from './checks/open-files.js';
import { checkOpenModeKeys } from './checks/open-mode-keys.js';
import { checkParsers } from './checks/parsers.js';
import { checkDocuments, checkWebhooks } from './checks/queues.js';
import { checkRights } from './checks/rights.js';
import { checkSearchIndex } from './checks/search-index.js';
import { checkSearchServer } from './checks/search-server.js';
import { checkStorage } from './checks/storage.js';
import { checkTokenIssuers } from './checks/token-issuers.js';
import { openDatabase } from './open-database.js';

export interface Result extends Finding {
  check: string;
}

const TIMEOUT_MS = 20_000;
/** In the order of the report. */
const CHECKS: Check[] = [
  checkAccess,
  checkDataFolder,
  checkDisk,
  checkOpenFiles,
  checkServer,
  checkSettings,
  checkCluster,
  checkConnections,
  checkRights,
  checkMigrations,
  checkOpenModeKeys,
  checkTokenIssuers,
  checkConsoleSignIn,
  checkStorage,
  checkSearchServer,
  checkSearchIndex,
  checkEmbedding,
  checkReranking,
  checkExtraction,
  checkDocuments,
  checkWebhooks,
  checkClocks,
  checkParsers,
];

/** Runs all checks at once; each has its time, and none needs another. */
export async function runChecks({ isDeep }: { isDeep: boolean }): Promise<Result[]> {
  const { config, findings } = checkConfiguration();
  const first = [...name('configuration', findings), ...name('node', checkNode())];
  if (!config) {
    return [...first, { check: 'all others', ...skipped('The configuration is not valid.') }];
  }
  const { database, finding, close } = await openDatabase(config);
  try {
    const examined: Examined = { config, database, isDeep };
    const results = await Promise.all(
      CHECKS.map(async (check) => {
        if (check === checkServer && finding) return name(check.name, finding);
        return name(check.name, await run(check, examined));
      }),
    );
    return [...first, ...results.flat()];
  } finally {
    await close();
  }
}

async function run(check: Check, examined: Examined): Promise<Finding | Finding[]> {
  try {
    const running = check.run(examined);
    // A comparison of everything takes as long as it takes.
    if (examined.isDeep && check === checkSearchIndex) return await running;
    return await withTimeout(TIMEOUT_MS, running, `it takes longer than ${TIMEOUT_MS / 1_000} seconds`);
  } catch (error) {
    return problem(
      `The check failed: ${(error as Error).message}.`.replace(/\.\.$/, '.'),
      'Run it again; if it stays so, the log of the server may say more.',
    );
  }
}

const name = (check: string, findings: Finding | Finding[]): Result[] =>
  [findings].flat().map((finding) => ({ check, ...finding }));
