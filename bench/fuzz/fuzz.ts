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
import { createFindings } from './findings.js';
import { connectClient, createFixtures } from './fixtures.js';
import { damageFiles, makeHostileFiles } from './hostile-files.js';
import { startHostilePeers } from './hostile-peers.js';
import { makeKeys } from './keys.js';
import { collectObservations } from './observations.js';
import { createPhases } from './phases.js';
import { listProtocols } from './protocol-requests.js';
import { listOperations } from './requests.js';

const PHASES = ['requests', 'protocols', 'peers', 'hostile', 'damaged'];

const USAGE = `Usage: npm run bench -- fuzz [--only PHASES] [--requests N] [--damaged N] [--pause MS] [--seed N] [--json]

Starts a server of its own that asks for API keys, on an empty embedded database, and does it harm: requests for every
operation of REST, tRPC, MCP and the integrations with hostile values in every field; documents, sitemaps and webhooks at
web servers of this machine that break the protocol; files that parsers take too long for; and real files, damaged at
random. Prints the answers, the longest pause of the server's event loop and its memory, and fails when it answered 5xx,
gave an error in another shape than the documented one, closed a connection without an answer, paused for longer than
--pause, ended, or left a document unprocessed.

  --only PHASES some of: ${PHASES.join(', ')}; default all
  --requests N  how many requests with hostile values, of REST and tRPC and again of the other protocols; default 10000
  --damaged N   how often each real file is damaged anew; default 1
  --pause MS    the longest pause that is no finding; default 200
  --seed N      makes the same choices as an earlier run; default 1
  --json        print JSON

Status 0 when nothing was found, 1 when something was, 2 when called wrongly.`;

const FETCH_TIMEOUT_SECONDS = 5;
const FIXTURES = 'packages/file-to-markdown/test/fixtures';

const options = readOptions(
  USAGE,
  { only: PHASES.join(), requests: 10_000, damaged: 1, pause: 200, seed: 1 },
  ({ only }) => {
    const unknown = only.split(',').find((name) => !PHASES.includes(name));
    if (unknown !== undefined) throw new Error(`--only has no phase "${unknown}".`);
  },
);
const only = options.only.split(',');
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
  const findings = createFindings(server.process, { observations, maxPauseMs: options.pause });
  const client = connectClient(server.address, keys.all);
  const known = await createFixtures(client, { urls: peers.urls, keyIds: keys.spare });
  const phases = createPhases({ address: server.address, client, keys, db, findings, random });

  const run = async (name: string, title: string, work: () => Promise<void>) => {
    if (only.includes(name)) await findings.phase(title, work);
  };
  await run('requests', 'requests', () => phases.sendRequests(listOperations(), options.requests, known));
  await run('protocols', 'protocols', () => phases.sendRequests(listProtocols(), options.requests, known));
  await run('peers', 'web servers', () => phases.callPeers(peers.urls));
  await run('hostile', 'hostile files', () => phases.upload(makeHostileFiles()));
  for (let round = 0; round < options.damaged; round++) {
    await run('damaged', 'damaged files', async () => phases.upload(await damageFiles(FIXTURES, random)));
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
