import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { unavailable } from '../../errors/errors.js';
import { connectMeilisearch, type MeilisearchOptions } from '../../search/meilisearch/connect.js';
import { startIndexSync } from '../../search/meilisearch/sync.js';

const POLL_MS = 200;
/** Without progress for so long, the search server is taken to be out of reach. */
const LONGEST_STANDSTILL_MS = 60_000;

interface SendDeletionsOptions {
  db: Database;
  meilisearch: MeilisearchOptions;
  log: Logger;
}

/**
 * Sends what is gone to the search server, beside running servers, which may do so, too.
 *
 * @returns when its index has confirmed all of it
 * @throws DomainError `unavailable` where it does not; running servers go on trying
 */
export async function sendDeletions({ db, meilisearch, log }: SendDeletionsOptions): Promise<void> {
  const server = connectMeilisearch(meilisearch);
  const sync = startIndexSync({ db, server, clock: () => new Date(), log });
  try {
    let left = await countGone(db);
    for (let standstill = 0; left > 0; standstill += POLL_MS) {
      if (standstill >= LONGEST_STANDSTILL_MS) {
        throw unavailable(
          `The search server has not confirmed ${left} deletions yet: running servers go on trying. Run this again later.`,
        );
      }
      await delay(POLL_MS);
      const now = await countGone(db);
      if (now < left) standstill = 0;
      left = now;
    }
  } finally {
    await sync.stop();
  }
}

/** Chunks that are gone, whose tenant nobody knows; but for those that the server refuses. */
async function countGone(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('searchOutbox')
    .where('tenantId', '=', '')
    .where('error', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
