import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const USAGE = `Usage: npm run bench -- soak [--hours N] [--rate N] [--sample N] [--warm-up N] [--keep N] [--seed N] [--samples FILE] [--json]

Starts PostgreSQL, an API process and a worker on an empty database, and sends requests of all kinds at a steady rate, while
the conversations and documents that there are stay as many. Meanwhile it measures memory, file descriptors, connections,
sizes of tables and indexes, pauses and latencies. In the end each is flat, or grows by so much an hour. Rows that are kept
for days are dated back when they are a few minutes old, so that their retention ends them.

  --hours N       how long, such as 8 or 0.25; default 8
  --rate N        requests a second; default 20
  --sample N      seconds between measurements; default 60
  --warm-up N     minutes that are not judged; default: a quarter of the time
  --keep N        minutes that stand for the days of a retention; default 5
  --seed N        makes the same choices as an earlier run, as far as timing lets it; default: a random one
  --samples FILE  writes each measurement as a line of JSON
  --json          print the result as JSON

Status 0 when all is flat, 1 when something grows or more than one request in a thousand failed other than by 503, 2 when
called wrongly. Progress goes to standard error.`;

export interface SteadyLoadOptions {
  ms: number;
  warmUpMs: number;
  /** Requests a second. */
  rate: number;
  sampleMs: number;
  keepMs: number;
  seed: number;
  samplesFile: string | undefined;
  json: boolean;
}

/** Ends the process when called wrongly, or for help. */
export function readOptions(): SteadyLoadOptions {
  try {
    const { values } = parseArgs({
      options: {
        hours: { type: 'string', default: '8' },
        rate: { type: 'string', default: '20' },
        sample: { type: 'string', default: '60' },
        'warm-up': { type: 'string' },
        keep: { type: 'string', default: '5' },
        seed: { type: 'string', default: String(randomInt(1_000_000)) },
        samples: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(`${USAGE}\n`);
      process.exit(0);
    }
    const number = (name: 'hours' | 'rate' | 'sample' | 'warm-up' | 'keep' | 'seed', text: string) => {
      const found = Number(text);
      if (text.trim() !== '' && Number.isFinite(found) && (found > 0 || name === 'seed')) return found;
      throw new Error(`--${name} is a number above 0.`);
    };
    const ms = number('hours', values.hours) * 3_600_000;
    const warmUp = values['warm-up'];
    return {
      ms,
      warmUpMs: warmUp === undefined ? ms / 4 : number('warm-up', warmUp) * 60_000,
      rate: number('rate', values.rate),
      sampleMs: number('sample', values.sample) * 1_000,
      keepMs: number('keep', values.keep) * 60_000,
      seed: number('seed', values.seed),
      samplesFile: values.samples,
      json: values.json,
    };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exit(2);
  }
}
