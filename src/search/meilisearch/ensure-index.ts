import { sql } from 'kysely';
import type { Index, Meilisearch, Settings } from 'meilisearch';
import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { onConflictRequeue } from '../indexing/outbox.js';
import type { MeilisearchServer } from './connect.js';
import { diffSettings } from './diff-settings.js';
import { isApiError } from './errors.js';
import {
  CHECKPOINT_ID,
  type Checkpoint,
  checkpointDocument,
  DOCUMENT_FORMAT,
  readCheckpoint,
} from './index-document.js';
import { advanceCheckpoint, type IndexState, readIndexState } from './index-state.js';
import { readOperatorSettings } from './operator-settings.js';
import { INDEX_SETTINGS } from './settings.js';
import { waitForTask } from './tasks.js';

/**
 * Creates an index, or keeps one that exists, and applies our settings.
 *
 * @param options.like an index whose operator's settings it gets, if that exists
 */
export async function createIndex(
  admin: Meilisearch,
  uid: string,
  { like, signal }: { like?: string; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  try {
    await waitForTask(admin, (await admin.createIndex(uid, { primaryKey: 'id' })).taskUid, signal);
  } catch (error) {
    if (!alreadyExists(error)) throw error;
  }
  const { typoTolerance, ...others } = like === undefined ? {} : await readSettingsLike(admin, like);
  const settings = {
    ...others,
    ...INDEX_SETTINGS,
    typoTolerance: { ...typoTolerance, ...INDEX_SETTINGS.typoTolerance },
  };
  await waitForTask(admin, (await admin.index(uid).updateSettings(settings)).taskUid, signal);
}

async function readSettingsLike(admin: Meilisearch, uid: string): Promise<Settings> {
  try {
    return readOperatorSettings(await admin.index(uid).getSettings());
  } catch (error) {
    if (isApiError(error, 'index_not_found')) return {};
    throw error;
  }
}

const alreadyExists = (error: unknown) =>
  isApiError(error, 'index_already_exists') || (error as { code?: unknown }).code === 'index_already_exists';

export interface IndexContext {
  lockedDb: Database;
  server: MeilisearchServer;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Ensures that the index exists and is complete. A missing index is created, if the key allows it; one that was
 * emptied or restored to an older state is backfilled.
 *
 * @returns whether a backfill has begun
 */
export async function ensureIndex(context: IndexContext): Promise<boolean> {
  const { lockedDb, server, log, signal } = context;
  const state = await readIndexState(lockedDb);
  if (!state) return false;
  const found = await findIndex(context);
  if (found && isUpToDate(state, found) && !(await isAheadOfDatabase(lockedDb, found))) {
    // The last writer ended before it recorded its last batch.
    if (found.checkpoint > state.checkpoint) await advanceCheckpoint(lockedDb, found.checkpoint);
    return false;
  }
  if (found && state.rebuild?.phase === 'finishing' && found.generation === state.rebuild.generation) {
    // The rebuild was killed between the swap and its commit.
    await commitRebuild(lockedDb);
    return false;
  }
  if (state.generation > 0) {
    log.warn({ index: server.indexUid }, 'the search index is incomplete; backfilling it');
  }
  const generation = await startBackfill(lockedDb, found?.generation ?? 0, server.propertyNames);
  const client = await server.documentClient();
  const index = client.index(server.indexUid);
  await waitForTask(client, (await index.deleteAllDocuments()).taskUid, signal);
  // An index that was created by others may have any settings.
  if (server.adminClient) await createIndex(server.adminClient, server.indexUid, { signal });
  await waitForTask(client, (await index.addDocuments([checkpointDocument(generation, 0)])).taskUid, signal);
  return true;
}

/** The checkpoint of the live index, which is created if it is missing and the key allows it. */
async function findIndex({ server, log, signal }: IndexContext): Promise<Checkpoint | undefined> {
  const { adminClient, indexUid } = server;
  try {
    return await readIndexCheckpoint((await server.documentClient()).index(indexUid));
  } catch (error) {
    if (!adminClient || !isApiError(error, 'index_not_found')) throw error;
    log.info({ index: indexUid }, 'creating the search index');
    await createIndex(adminClient, indexUid, { signal });
    return undefined;
  }
}

/**
 * Applies our settings where that needs no rebuild.
 *
 * @returns whether a rebuild is needed, and the key allows it
 */
export async function ensureSettings({
  server,
  log,
  signal,
}: Omit<IndexContext, 'lockedDb'>): Promise<boolean> {
  const client = await server.documentClient();
  const differences = await diffSettings(client.index(server.indexUid));
  if (differences.length === 0) return false;
  const settings = differences.map(({ setting }) => setting);
  const rebuilds = differences.some((difference) => difference.rebuilds);
  const command = rebuilds ? 'lectern search reindex' : 'lectern search settings apply';
  if (!server.adminClient) {
    log.warn({ settings, command }, 'the settings of the search index differ; run the command');
  } else if (rebuilds) {
    log.warn({ settings }, 'the settings of the search index differ; rebuilding it beside the live one');
  } else {
    await waitForTask(
      client,
      (await server.adminClient.index(server.indexUid).updateSettings(INDEX_SETTINGS)).taskUid,
      signal,
    );
    log.info({ settings }, 'changed settings of the search index');
  }
  return rebuilds && server.adminClient !== undefined;
}

/** The checkpoint of an index, if it has one. */
export async function readIndexCheckpoint(index: Index): Promise<Checkpoint | undefined> {
  try {
    const found = await index.getDocument(CHECKPOINT_ID, { fields: ['revision', 'unit'] });
    return found.unit === CHECKPOINT_ID ? readCheckpoint(found) : undefined;
  } catch (error) {
    if (isApiError(error, 'document_not_found')) return undefined;
    throw error;
  }
}

const isUpToDate = ({ generation, checkpoint }: IndexState, found: Checkpoint) =>
  found.generation === generation && found.checkpoint >= checkpoint;

/** Whether an index is ahead of this database, which was then restored to an older state. */
async function isAheadOfDatabase(lockedDb: Database, { checkpoint }: Checkpoint): Promise<boolean> {
  const { rows } = await sql<{ last: number }>`select last_value as last from search_outbox_revision`.execute(
    lockedDb,
  );
  return checkpoint > (rows[0]?.last ?? 0);
}

/** Records that the rebuilt index is the live one. The outbox brings it what it may lack. */
export async function commitRebuild(lockedDb: Database): Promise<void> {
  await lockedDb.transaction().execute(async (tx) => {
    await sql`
      update search_index
      set generation = (rebuild->>'generation')::bigint, format = coalesce((rebuild->>'format')::int, 1), checkpoint = 0, filling = false, filled_to = null, rebuild = null
      where rebuild is not null
    `.execute(tx);
    await sql`
      with replayed as (delete from search_replay returning tenant_id, chunk_id)
      insert into search_outbox (tenant_id, chunk_id)
      select tenant_id, chunk_id from replayed order by tenant_id, chunk_id ${onConflictRequeue}
    `.execute(tx);
  });
}

/** From here on, until the backfill is done, the index counts as incomplete. */
async function startBackfill(
  lockedDb: Database,
  foundGeneration: number,
  propertyNames: readonly string[],
): Promise<number> {
  return lockedDb.transaction().execute(async (tx) => {
    const { rows } = await sql<{ generation: number }>`
      update search_index
      set generation = greatest(generation, ${foundGeneration}, (rebuild->>'generation')::bigint) + 1,
        checkpoint = 0, filling = true, filled_to = '', rebuild = null,
        format = ${DOCUMENT_FORMAT}, property_names = ${[...propertyNames]}::text[]
      returning generation
    `.execute(tx);
    await tx.deleteFrom('searchReplay').execute();
    return rows[0]?.generation as number;
  });
}
