/**
 * Fuzz tests a server: hostile requests, web servers and files, and what it made of them.
 */
import { connectDatabase } from '../../db/client.js';
import { startEmbedded } from '../../db/embedded.js';
import { migrateToLatest } from '../../db/migrate.js';
import { startServer } from '../../src/cli/eval/server-process.js';
import { makeDataDir } from '../../src/cli/shared/data-dir.js';
import { createRandom } from '../support/random.js';
import { readOptions } from '../support/read-options.js';
import { createFindings, MAX_PAUSE_MS } from './findings.js';
import { connectClient, createFixtures } from './fixtures.js';
import { damageFiles, makeHostileFiles } from './hostile-files.js';
import { startHostilePeers } from './hostile-peers.js';
import { makeKeys } from './keys.js';
import { collectObservations } from './observations.js';
import { createPhases } from './phases.js';

const USAGE = `Usage: npm run bench -- fuzz [--requests N] [--damaged N] [--seed N] [--json]

Starts a server of its own that asks for API keys, on an empty embedded database, and does it harm: requests for every
operation of REST and tRPC with hostile values in every field; documents, sitemaps and webhooks at web servers of this
machine that break the protocol; files that parsers take too long for; and real files, damaged at random. Prints
the answers, the longest pause of the server's event loop and its memory, and fails when it answered 5xx, gave an error
in another shape than the documented one, closed a connection without an answer, paused for more than ${MAX_PAUSE_MS} ms, ended,
or left a document unprocessed.

  --requests N  how many requests with hostile values; default 10000
  --damaged N   how often each real file is damaged anew; default 1
  --seed N      makes the same choices as an earlier run; default 1
  --json        print JSON

Status 0 when nothing was found, 1 when something was, 2 when called wrongly.`;

const FETCH_TIMEOUT_SECONDS = 5;
const FIXTURES = 'packages/file-to-markdown/test/fixtures';

const options = readOptions(USAGE, { requests: 10_000, damaged: 1, seed: 1 });
const random = createRandom(options.seed);
const { dataDir, remove } = await makeDataDir('fuzz');
const database = await startEmbedded({ dataDir });
const peers = await startHostilePeers();
await migrateToLatest(database.url);
const { db, close } = connectDatabase(database.url, { max: 2 });
try {
  const keys = await makeKeys(db);
  const server = await startServer({
    env: {
      PATH: process.env.PATH,
      AUTH_MODE: 'required',
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      FETCH_ALLOW_HOSTS: '127.0.0.1',
      FETCH_TIMEOUT_SECONDS: String(FETCH_TIMEOUT_SECONDS),
      RATE_LIMIT_FAILED_KEYS: 'off',
      RATE_LIMIT_KEY_REQUESTS: 'off',
      RATE_LIMIT_TENANT_REQUESTS: 'off',
      RATE_LIMIT_KEY_UPLOAD_BYTES: 'off',
      RATE_LIMIT_TENANT_UPLOAD_BYTES: 'off',
    },
    preload: [new URL('./event-loop-monitor.js', import.meta.url).href],
  });
  const observations = collectObservations(server.process);
  const findings = createFindings(server.process, observations);
  const client = connectClient(server.address, keys.all);
  const known = await createFixtures(client, { urls: peers.urls, keyIds: keys.spare });
  const phases = createPhases({ address: server.address, client, keys, db, findings, random });

  await findings.phase('requests', () => phases.sendRequests(options.requests, known));
  await findings.phase('web servers', () => phases.callPeers(peers.urls));
  await findings.phase('hostile files', () => phases.upload(makeHostileFiles()));
  for (let round = 0; round < options.damaged; round++) {
    await findings.phase('damaged files', async () => phases.upload(await damageFiles(FIXTURES, random)));
  }
  const report = findings.report();
  findings.expectEnd();
  await server.stop();
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : findings.describe());
  process.exitCode = report.findings.length > 0 ? 1 : 0;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  peers.close();
  await close();
  await database.stop();
  await remove();
}
