import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const USAGE = `Usage: npm run soak -- --meilisearch COMMAND [--operations N] [--seed N] [--json]

Starts a Lectern server with an empty embedded database and a search server, makes random changes through the REST
API, and searches all the while. Meanwhile the search server is killed, frozen and now and then robbed of its disk, and
the Lectern server is killed, and the index is rebuilt, at random moments. Every hit is compared with what was written: it must be of the tenant,
unit and dataset asked for, of an enabled document and an active chunk, with its text as it is; what was found once must
be found until it changes. A search may answer 503. In the end the index must be in step by itself and hold exactly what
the database says, also after it was rebuilt, and a sample of the chunks must be found, or not, as they should.

  --meilisearch COMMAND  starts the search server; {port} and {data} in it stand for the port it has to listen on at
                         127.0.0.1 and for the folder of its data; it is given its key in MEILI_MASTER_KEY, and is
                         killed itself, so that it must not run in the background. Such as
                         "meilisearch --http-addr 127.0.0.1:{port} --db-path {data}/data.ms"
  --operations N         how many changes; default 1000
  --seed N               makes the same choices as an earlier run, as far as timing lets it; default: a random one
  --json                 print the result as JSON

Status 0 when nothing was wrong, 1 when something was, 2 when called wrongly. Progress goes to standard error.`;

export interface SoakOptions {
  meilisearch: string;
  operations: number;
  seed: number;
  json: boolean;
}

/** Ends the process when called wrongly, or for help. */
export function readOptions(): SoakOptions {
  try {
    const { values } = parseArgs({
      options: {
        meilisearch: { type: 'string' },
        operations: { type: 'string', default: '1000' },
        seed: { type: 'string', default: String(randomInt(1_000_000)) },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(`${USAGE}\n`);
      process.exit(0);
    }
    const { meilisearch, json } = values;
    if (!meilisearch) throw new Error('Say how to start the search server: --meilisearch COMMAND.');
    if (!meilisearch.includes('{port}') || !meilisearch.includes('{data}')) {
      throw new Error('The command of --meilisearch must name {port} and {data}.');
    }
    const [operations, seed] = [Number(values.operations), Number(values.seed)];
    if (!Number.isSafeInteger(operations) || operations < 1) {
      throw new Error('--operations is a number from 1.');
    }
    if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed is a number from 0.');
    return { meilisearch, operations, seed, json };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exit(2);
  }
}
