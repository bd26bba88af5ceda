import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const USAGE = `Usage: npm run test:chaos -- [--kills N] [--seed N] [--clients N] [--meilisearch COMMAND | --engine postgres]
       [--citus FOLDER] [--json]

Starts a deployment of its own on the loopback address: PostgreSQL, a search server, two API processes and two workers.
Clients write to it through the REST API and the typed client, and remember what was acknowledged and what is in doubt.
Meanwhile API processes, workers, their parsers, PostgreSQL, single backends of it, the search server and the extraction
engine are ended by kill -9 at random moments, and come back as a supervisor would bring them back. In the end nobody
helps: every acknowledged write must be there, every document ready or failed, no chunk without its document, no file
without its row, the index equal to the database, and every event delivered, in order and signed.

  --kills N              how many processes are killed; default 30, which takes about three minutes; 1000 take an hour
  --seed N               makes the same choices as an earlier run, as far as timing lets it; default: a random one
  --clients N            how many write at a time; default 6
  --meilisearch COMMAND  starts a real search server in place of the test double; {port} and {data} in it stand for the
                         port it has to listen on at 127.0.0.1 and for the folder of its data; its key is in
                         MEILI_MASTER_KEY; it is killed itself, so that it must not run in the background. Such as
                         "meilisearch --http-addr 127.0.0.1:{port} --db-path {data}/data.ms"
  --engine ENGINE        meilisearch (default) or postgres: without any search server
  --citus FOLDER         starts a cluster in place of one PostgreSQL: a coordinator and two workers, which are killed, too,
                         of the programs of a PostgreSQL with Citus in that folder, such as /usr/lib/postgresql/17/bin
  --json                 print the result as JSON

Needs Linux, whose list of processes it reads. Status 0 when nothing was lost or wrong, 1 when something was, 2 when
called wrongly. Progress goes to standard error; the logs are left where something was wrong.`;

const ENGINES = ['meilisearch', 'postgres'] as const;

export interface ChaosOptions {
  kills: number;
  seed: number;
  clients: number;
  meilisearch: string | undefined;
  citus: string | undefined;
  engine: (typeof ENGINES)[number];
  json: boolean;
}

/** Ends the process when called wrongly, or for help. */
export function readOptions(): ChaosOptions {
  try {
    const { values } = parseArgs({
      options: {
        kills: { type: 'string', default: '30' },
        seed: { type: 'string', default: String(randomInt(1_000_000)) },
        clients: { type: 'string', default: '6' },
        meilisearch: { type: 'string' },
        citus: { type: 'string' },
        engine: { type: 'string', default: 'meilisearch' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(`${USAGE}\n`);
      process.exit(0);
    }
    const { meilisearch, citus, json } = values;
    const engine = ENGINES.find((one) => one === values.engine);
    if (!engine) throw new Error(`--engine is one of ${ENGINES.join(' and ')}.`);
    if (meilisearch !== undefined && engine === 'postgres') {
      throw new Error('--meilisearch goes with the engine meilisearch alone.');
    }
    if (meilisearch !== undefined && !(meilisearch.includes('{port}') && meilisearch.includes('{data}'))) {
      throw new Error('The command of --meilisearch must name {port} and {data}.');
    }
    return {
      kills: readNumber('kills', values.kills, 1),
      seed: readNumber('seed', values.seed, 0),
      clients: readNumber('clients', values.clients, 1),
      meilisearch,
      citus,
      engine,
      json,
    };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exit(2);
  }
}

function readNumber(name: string, text: string, least: number): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`--${name} is a number from ${least}.`);
}
