import { sql } from 'kysely';
import type { Index, Meilisearch } from 'meilisearch';
import type { Logger } from 'pino';
import type { Database } from '../../../db/schema.js';
import { enqueueChunks } from '../outbox.js';
import type { MeilisearchServer } from './connect.js';
import { isApiError } from './errors.js';
import { CHECKPOINT_ID, type Checkpoint, checkpointDocument, readCheckpoint } from './index-document.js';
import { advanceCheckpoint, type IndexState, readIndexState } from './index-state.js';
import { diffSettings, INDEX_SETTINGS } from './settings.js';
import { waitForTask } from './tasks.js';

/** Makes an empty index with our settings, or gives one that is there our settings. */
export async function createIndex(admin: Meilisearch, uid: string, signal?: AbortSignal): Promise<void> {
  try {
    await waitForTask(admin, (await admin.createIndex(uid, { primaryKey: 'id' })).taskUid, signal);
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
  }
  await waitForTask(admin, (await admin.index(uid).updateSettings(INDEX_SETTINGS)).taskUid, signal);
}

const isAlreadyThere = (error: unknown) =>
  isApiError(error, 'index_already_exists') || (error as { code?: unknown }).code === 'index_already_exists';

export interface IndexContext {
  lockedDb: Database;
  server: MeilisearchServer;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Makes sure that the index is there and holds all that it is believed to hold. One that is missing is made, where
 * the key allows that; one that was emptied, or put back to an older state, is filled anew.
 *
 * @returns whether it is being filled anew from now on
 */
export async function ensureIndex(context: IndexContext): Promise<boolean> {
  const { lockedDb, server, log, signal } = context;
  const state = await readIndexState(lockedDb);
  if (!state) return false;
  const found = await findIndex(context);
  if (found && isUpToDate(state, found) && !(await isAheadOfDatabase(lockedDb, found))) {
    // What the last writer was not told any more.
    if (found.checkpoint > state.checkpoint) await advanceCheckpoint(lockedDb, found.checkpoint);
    return false;
  }
  if (found && state.rebuild?.phase === 'finishing' && found.generation === state.rebuild.generation) {
    // Whoever built it was killed between the change of places and telling so.
    await commitRebuild(lockedDb);
    return false;
  }
  if (state.generation > 0) {
    log.warn({ index: server.indexUid }, 'the search index lacks what was brought there; filling it anew');
  }
  const generation = await startBackfill(lockedDb, found?.generation ?? 0);
  const client = await server.documentClient();
  const index = client.index(server.indexUid);
  await waitForTask(client, (await index.deleteAllDocuments()).taskUid, signal);
  // Whoever made an index that is not ours may have given it any settings.
  if (server.adminClient) await createIndex(server.adminClient, server.indexUid, signal);
  await waitForTask(client, (await index.addDocuments([checkpointDocument(generation, 0)])).taskUid, signal);
  return true;
}

/** What the live index says that it holds. One that is missing is made, where the key allows that. */
async function findIndex({ server, log, signal }: IndexContext): Promise<Checkpoint | undefined> {
  const { adminClient, indexUid } = server;
  try {
    return await readIndexCheckpoint((await server.documentClient()).index(indexUid));
  } catch (error) {
    if (!adminClient || !isApiError(error, 'index_not_found')) throw error;
    log.info({ index: indexUid }, 'making the search index');
    await createIndex(adminClient, indexUid, signal);
    return undefined;
  }
}

/**
 * Makes sure that the index is set up as it should be, as far as that is possible on the spot.
 *
 * @returns whether it has to be built anew for that, and may be
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
  const command = rebuilds ? 'npx lectern search reindex' : 'npx lectern search settings apply';
  if (!server.adminClient) {
    log.warn({ settings, command }, 'the search index is not set up as it should be; run the command');
  } else if (rebuilds) {
    log.warn({ settings }, 'the search index needs other settings; building it anew beside the live one');
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

/** What an index says that it holds; undefined where it says nothing. */
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

/** Whether an index knows of more than this database, which was put back to an older state. */
async function isAheadOfDatabase(session: Database, { checkpoint }: Checkpoint): Promise<boolean> {
  const { rows } = await sql<{ last: number }>`select last_value as last from search_outbox_revision`.execute(
    session,
  );
  return checkpoint > (rows[0]?.last ?? 0);
}

/** Makes an index that has changed places the live one. What it may lack is brought there by the outbox. */
export async function commitRebuild(session: Database): Promise<void> {
  await session.transaction().execute(async (tx) => {
    await sql`
      update search_index
      set generation = (rebuild->>'generation')::bigint, checkpoint = 0, filling = false, filled_to = null, rebuild = null
      where rebuild is not null
    `.execute(tx);
    const { rows } = await sql<{ chunkId: string }>`delete from search_replay returning chunk_id`.execute(tx);
    await enqueueChunks(
      tx,
      rows.map(({ chunkId }) => chunkId),
    );
  });
}

/** From here on, until all chunks have arrived, the index counts as incomplete. */
async function startBackfill(session: Database, foundGeneration: number): Promise<number> {
  return session.transaction().execute(async (tx) => {
    const { rows } = await sql<{ generation: number }>`
      update search_index
      set generation = greatest(generation, ${foundGeneration}, (rebuild->>'generation')::bigint) + 1,
        checkpoint = 0, filling = true, filled_to = '', rebuild = null
      returning generation
    `.execute(tx);
    await tx.deleteFrom('searchReplay').execute();
    return rows[0]?.generation as number;
  });
}
