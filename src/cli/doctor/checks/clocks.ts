import { sql } from 'kysely';
import { formatSpan } from '../../shared/format.js';
import { type Check, type Examined, type Finding, ok, skipped, warning } from '../check.js';

const MOST_MS = 2_000;
/** A Date header has whole seconds. */
const HEADER_STEP_MS = 1_000;
const TIMEOUT_MS = 5_000;

/** The clocks of the database and of the search server beside that of this machine. */
export const checkClocks: Check = {
  name: 'clocks',
  async run(examined) {
    const found = await Promise.all([askDatabase(examined), askSearchServer(examined)]);
    const clocks = found.filter((clock) => clock !== undefined);
    if (clocks.length === 0) return skipped('There is no other clock to compare with.');
    const wrong = clocks.filter(({ differenceMs, exactMs }) => Math.abs(differenceMs) > MOST_MS + exactMs);
    if (wrong.length > 0) return wrong.map(describe);
    return ok(`This machine and ${clocks.map(({ whose }) => whose).join(' and ')} agree.`);
  },
};

interface Clock {
  whose: string;
  /** How far it is ahead of this machine's. */
  differenceMs: number;
  exactMs: number;
}

async function askDatabase({ database }: Examined): Promise<Clock | undefined> {
  if (!database) return undefined;
  return compare('the database', 0, async () => {
    const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(database.db);
    return rows[0]?.time;
  });
}

/** One that does not answer is told by another check. */
async function askSearchServer({ config: { meilisearch } }: Examined): Promise<Clock | undefined> {
  if (!meilisearch) return undefined;
  return compare('the search server', HEADER_STEP_MS, async () => {
    const url = new URL('health', meilisearch.url.endsWith('/') ? meilisearch.url : `${meilisearch.url}/`);
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined);
    const date = answer?.headers.get('date');
    return date ? new Date(date) : undefined;
  });
}

/** Both times are taken to be of the middle of the question and its answer. */
async function compare(
  whose: string,
  stepMs: number,
  ask: () => Promise<Date | undefined>,
): Promise<Clock | undefined> {
  const began = Date.now();
  const time = await ask();
  const tookMs = Date.now() - began;
  if (!time) return undefined;
  return { whose, differenceMs: time.getTime() - (began + tookMs / 2), exactMs: stepMs + tookMs / 2 };
}

function describe({ whose, differenceMs }: Clock): Finding {
  const where = differenceMs > 0 ? 'ahead of' : 'behind';
  return warning(
    `The clock of ${whose} is ${formatSpan(Math.abs(differenceMs))} ${where} this machine's: keys, sessions, retries and signatures of webhooks end too early or too late.`,
    'Let NTP set the clocks of both machines.',
  );
}
