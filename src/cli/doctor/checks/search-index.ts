import type { Database } from '../../../../db/schema.js';
import type { SearchServerConfig } from '../../../config/config.js';
import { readIndexState } from '../../../search/meilisearch/index-state.js';
import { readBacklog } from '../../../search/meilisearch/outbox-consumer.js';
import { verifyIndex } from '../../../search/meilisearch/verify.js';
import { countOf, formatAge } from '../../shared/format.js';
import { type Finding, ofTables, ok, problem, splitAdvice, warning } from '../check.js';
import { connectSearchServer } from './search-server.js';

/** Changes reach the index within a second where all is well. */
const LATE_MS = 60_000;
const RUNS = 'Check that a server or worker runs, and see lectern search status.';

/** How far the index of the search server is behind the database, or, if that is wanted, each difference. */
export const checkSearchIndex = ofTables('search index', async ({ db }, { config, isDeep }) => {
  if (!config.meilisearch) return checkPostings(db);
  const findings = await checkOutbox(db);
  if (isDeep) findings.push(...(await compareAll(db, config.meilisearch)));
  if (findings.length > 0) return findings;
  return ok(isDeep ? 'It has every chunk, and no other.' : 'All changes have reached it, or do so in time.');
});

async function checkPostings(db: Database): Promise<Finding> {
  const { count } = await db
    .selectFrom((eb) => eb.selectFrom('postingChanges').select('id').limit(MANY_CHANGES).as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count < MANY_CHANGES) return ok('Changes are merged into the postings in PostgreSQL.');
  return warning(
    `More than ${countOf(MANY_CHANGES, 'change')} wait to be merged, and searches become slow.`,
    'Check that a server or worker runs: lectern serve --role worker.',
  );
}
const MANY_CHANGES = 50_000;

async function checkOutbox(db: Database): Promise<Finding[]> {
  const { waiting, quarantined, oldest } = await readBacklog(db);
  const state = await readIndexState(db);
  const findings: Finding[] = [];
  if (state?.error) findings.push(problem(...splitAdvice(`Changes do not reach it: ${state.error}`, RUNS)));
  else if (oldest && Date.now() - oldest.getTime() > LATE_MS) {
    const age = formatAge(oldest, new Date());
    findings.push(warning(`Changes that wait: ${waiting}, the oldest for ${age}.`, RUNS));
  }
  if (quarantined > 0) {
    findings.push(
      warning(
        `Chunks that the search server refuses: ${quarantined}.`,
        'lectern search status tells why; they are tried again each day.',
      ),
    );
  }
  return findings;
}

async function compareAll(db: Database, meilisearch: SearchServerConfig): Promise<Finding[]> {
  const { missing, outdated, surplus } = await verifyIndex({ db, server: connectSearchServer(meilisearch) });
  const count = missing.count + outdated.count + surplus.count;
  if (count === 0) return [];
  return [
    problem(
      `It differs from the database: ${missing.count} chunks are missing, ${outdated.count} outdated, ${surplus.count} too many.`,
      'Run lectern search verify --repair.',
    ),
  ];
}
