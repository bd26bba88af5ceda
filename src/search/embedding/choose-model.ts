import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import type { EmbeddingSettings } from './endpoint.js';
import { measureModel } from './measure-model.js';
import {
  createModel,
  type EmbeddingModel,
  isConfigured,
  keepLiveModel,
  queryPrefixOf,
  selectCurrentModels,
} from './models.js';

/** So long after the last process with a configuration was at work, others take its place. */
const ABANDONED_AFTER = '15 minutes';

export interface ModelChoice {
  model: EmbeddingModel;
  /** Whether the model has this configuration; else a process that started later has another one, and embeds. */
  isOwn: boolean;
}

/**
 * The model that texts are embedded with: the live one, or the one that will take its place. A configuration that neither
 * has makes another one. Of processes with different configurations, as in a rolling deployment, the one that started
 * last decides, so that they do not retire each other's models.
 *
 * Needs the embedder lock.
 *
 * @param startedTime of this process
 * @throws EndpointError when the endpoint does not answer a new model's first requests
 */
export async function chooseModel(
  db: Database,
  settings: EmbeddingSettings,
  { startedTime, signal }: { startedTime: Date; signal: AbortSignal },
): Promise<ModelChoice> {
  const models = await selectCurrentModels(db)
    .select(sql<boolean>`seen_time > now() - ${ABANDONED_AFTER}::interval`.as('isInUse'))
    .execute();
  const newer = models.find(
    (model) => !isConfigured(model, settings) && model.isInUse && model.startedTime > startedTime,
  );
  if (newer) return { model: newer, isOwn: false };
  const own = models.find((model) => isConfigured(model, settings));
  if (!own) return { model: await createModel(db, settings, { startedTime, signal }), isOwn: true };
  const isRollback = own.status === 'live' && models.length > 1;
  if (own.startedTime <= startedTime) await setQueryPrefix(db, own, settings, signal);
  const model = await db.transaction().execute(async (tx) => {
    await markSeen(tx, own.id, startedTime);
    return isRollback ? keepLiveModel(tx, own.id) : own;
  });
  return { model, isOwn: true };
}

/** Stored vectors do not depend on what questions begin with: of several processes, the one that started last decides. */
async function setQueryPrefix(
  db: Queryable,
  { id, passagePrefix, ...own }: EmbeddingModel,
  settings: EmbeddingSettings,
  signal: AbortSignal,
): Promise<void> {
  const queryPrefix = queryPrefixOf({ ...own, passagePrefix }, settings);
  if (queryPrefix === own.queryPrefix) return;
  // The center stays: what is in memory of the stored vectors depends on it.
  const { center } = own;
  const measured = await measureModel({ ...settings, queryPrefix, passagePrefix, center }, signal);
  await db
    .updateTable('embeddingModels')
    .set({ queryPrefix, cosines: JSON.stringify(measured.cosines), center: measured.center })
    .where('id', '=', id)
    .execute();
}

/** Records that a process with the configuration of a model is at work. */
export async function markSeen(db: Queryable, modelId: number, startedTime: Date): Promise<void> {
  await sql`
    update embedding_models set started_time = greatest(started_time, ${startedTime}), seen_time = now()
    where id = ${modelId}
  `.execute(db);
}

/** The start of this process, by the clock that all processes share. */
export async function readStartedTime(db: Queryable): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return (rows[0] as { now: Date }).now;
}
