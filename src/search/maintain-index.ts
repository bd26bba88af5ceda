import { sql } from 'kysely';
import type { Index, Meilisearch } from 'meilisearch';
import type { Logger } from 'pino';
import type { Database } from '../../db/schema.js';
import { type IndexState, readIndexState } from './index-state.js';
import type { SearchServer } from './meilisearch/connect.js';
import { isApiError } from './meilisearch/errors.js';
import { CHECKPOINT_ID, checkpointDocument, readCheckpoint } from './meilisearch/index-document.js';
import { compareSettings, SETTINGS } from './meilisearch/settings.js';
import { waitForTask } from './meilisearch/tasks.js';
import { queueChunks, queueEverything } from './outbox.js';

/** Makes an empty index with our settings, or gives one that is there our settings. */
export async function createIndex(admin: Meilisearch, uid: string): Promise<void> {
  try {
    await waitForTask(admin, (await admin.createIndex(uid, { primaryKey: 'id' })).taskUid);
  } catch (error) {
    if (!isAlreadyThere(error)) throw error;
  }
  await waitForTask(admin, (await admin.index(uid).updateSettings(SETTINGS)).taskUid);
}

const isAlreadyThere = (error: unknown) =>
  isApiError(error, 'index_already_exists') || (error as { code?: unknown }).code === 'index_already_exists';

/**
 * Makes sure that the index is there and holds all that it is believed to hold. One that is missing is made, where
 * the key allows that; one that was emptied, or put back to an older state, is filled anew.
 */
export async function ensureIndex(session: Database, server: SearchServer, log: Logger): Promise<void> {
  const state = await readIndexState(session);
  if (!state) return;
  const client = await server.working();
  const index = client.index(server.uid);
  const found = await readCheckpointOf(index).catch(async (error) => {
    if (!isApiError(error, 'index_not_found') || !server.admin) throw error;
    log.info({ index: server.uid }, 'making the search index');
    await createIndex(server.admin, server.uid);
    return undefined;
  });
  if (holdsAll(state, found)) return;
  if (found && state.rebuild?.phase === 'finishing' && found.generation === state.rebuild.generation) {
    // Whoever built it was killed between the change of places and telling so.
    await adoptRebuild(session);
    return;
  }
  if (state.generation > 0) {
    log.warn({ index: server.uid }, 'the search index lacks what was brought there; filling it anew');
  }
  const generation = await beginFilling(session, found?.generation ?? 0);
  await waitForTask(client, (await index.deleteAllDocuments()).taskUid);
  await waitForTask(client, (await index.addDocuments([checkpointDocument(generation, 0)])).taskUid);
}

/**
 * Makes sure that the index is set up as it should be, as far as that is possible on the spot.
 *
 * @returns whether it has to be built anew for that, and may be
 */
export async function ensureSettings(server: SearchServer, log: Logger): Promise<boolean> {
  const client = await server.working();
  const differences = compareSettings(await client.index(server.uid).getSettings());
  if (differences.length === 0) return false;
  const settings = differences.map(({ setting }) => setting);
  const rebuilds = differences.some((difference) => difference.rebuilds);
  const command = rebuilds ? 'npm run search:reindex' : 'npm run search:settings -- apply';
  if (!server.admin) {
    log.warn({ settings, command }, 'the search index is not set up as it should be; run the command');
  } else if (rebuilds) {
    log.warn({ settings }, 'the search index needs other settings; building it anew beside the live one');
  } else {
    await waitForTask(client, (await server.admin.index(server.uid).updateSettings(SETTINGS)).taskUid);
    log.info({ settings }, 'changed settings of the search index');
  }
  return rebuilds && server.admin !== undefined;
}

/** What an index says that it holds; undefined where it says nothing. */
export async function readCheckpointOf(index: Index) {
  try {
    return readCheckpoint(await index.getDocument(CHECKPOINT_ID, { fields: ['revision'] }));
  } catch (error) {
    if (isApiError(error, 'document_not_found')) return undefined;
    throw error;
  }
}

const holdsAll = ({ generation, checkpoint }: IndexState, found: ReturnType<typeof readCheckpoint>) =>
  found !== undefined && found.generation === generation && found.checkpoint >= checkpoint;

/** Makes an index that has changed places the live one. What it may lack is brought there by the outbox. */
export async function adoptRebuild(session: Database): Promise<void> {
  await session.transaction().execute(async (tx) => {
    await sql`
      update search_index
      set generation = (rebuild->>'generation')::bigint, checkpoint = 0, filling = false, rebuild = null
      where rebuild is not null
    `.execute(tx);
    const { rows } = await sql<{ chunkId: string }>`delete from search_replay returning chunk_id`.execute(tx);
    await queueChunks(
      tx,
      rows.map(({ chunkId }) => chunkId),
    );
  });
}

/** From here on, until all chunks have arrived, the index counts as incomplete. */
async function beginFilling(session: Database, foundGeneration: number): Promise<number> {
  return session.transaction().execute(async (tx) => {
    const { rows } = await sql<{ generation: number }>`
      update search_index
      set generation = greatest(generation, ${foundGeneration}, (rebuild->>'generation')::bigint) + 1,
        checkpoint = 0, filling = true, rebuild = null
      returning generation
    `.execute(tx);
    await queueEverything(tx);
    return rows[0]?.generation as number;
  });
}
