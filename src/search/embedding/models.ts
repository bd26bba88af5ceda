import { type Selectable, sql } from 'kysely';
import type { Database, EmbeddingModelTable, Queryable } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { EndpointError } from '../../model-endpoint/endpoint-error.js';
import type { EmbeddingSettings } from './endpoint.js';
import { measureModel } from './measure-model.js';

/** A model whose vectors are stored. */
export type EmbeddingModel = Selectable<EmbeddingModelTable>;

/** The model whose vectors searches use; undefined before any was configured. */
export async function readLiveModel(db: Queryable): Promise<EmbeddingModel | undefined> {
  return db.selectFrom('embeddingModels').selectAll().where('status', '=', 'live').executeTakeFirst();
}

/** Selects the model that will take the live one's place, if there is one, and the live one. */
export const selectCurrentModels = (db: Queryable) =>
  db.selectFrom('embeddingModels').selectAll().where('status', 'in', ['filling', 'live']).orderBy('status');

/** The live model or the one that will take its place, whichever has this configuration; the latter if both have. */
export async function findConfiguredModel(
  db: Queryable,
  settings: EmbeddingSettings,
): Promise<EmbeddingModel | undefined> {
  const models = await selectCurrentModels(db).execute();
  return models.find((model) => isConfigured(model, settings));
}

/** Whether a model's vectors are those that would be made with this configuration, or may stay with it. */
export function isConfigured(
  model: EmbeddingModel,
  { endpoint, passagePrefix, keepsUnprefixed }: EmbeddingSettings,
): boolean {
  return (
    model.url === endpoint.url &&
    model.name === endpoint.model &&
    [model.requestedDimensions, model.dimensions].includes(endpoint.dimensions ?? null) &&
    (model.passagePrefix === passagePrefix || (keepsUnprefixed && model.passagePrefix === ''))
  );
}

/**
 * What a model's questions begin with. Where its passages have no prefix though its family has one, questions have none
 * either: the two belong together.
 */
export const queryPrefixOf = (
  model: Pick<EmbeddingModel, 'queryPrefix' | 'passagePrefix'>,
  { queryPrefix, passagePrefix }: EmbeddingSettings,
): string => (model.passagePrefix === passagePrefix ? queryPrefix : model.queryPrefix);

/**
 * Makes a model of this configuration: one that will take the place of the live one when all texts are embedded; the
 * first one ever is live at once.
 *
 * @param startedTime of the process that is configured for it
 * @throws EndpointError when the endpoint does not answer its first requests
 */
export async function createModel(
  db: Database,
  settings: EmbeddingSettings,
  { startedTime, signal }: { startedTime?: Date; signal: AbortSignal },
): Promise<EmbeddingModel> {
  const { cosines, ...measured } = await measureModel(settings, signal);
  return db.transaction().execute(async (tx) => {
    await retireFilling(tx);
    await retryFailed(tx);
    const { endpoint, queryPrefix, passagePrefix } = settings;
    return tx
      .insertInto('embeddingModels')
      .values({
        status: (await readLiveModel(tx)) ? 'filling' : 'live',
        url: endpoint.url,
        name: endpoint.model,
        requestedDimensions: endpoint.dimensions ?? null,
        queryPrefix,
        passagePrefix,
        ...measured,
        cosines: JSON.stringify(cosines),
        ...(startedTime && { startedTime }),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Puts a filled model into the place of the live one, which it may be itself. */
export async function promoteModel(db: Database, modelId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('embeddingModels')
      .set({ status: 'retired', statusTime: sql`now()` })
      .where('status', '=', 'live')
      .where('id', '<>', modelId)
      .execute();
    await tx
      .updateTable('embeddingModels')
      .set({ status: 'live', isFilled: true, statusTime: sql`now()` })
      .where('id', '=', modelId)
      .execute();
  });
}

/** Keeps the live model, and retires the one that is being filled: what only that one has embedded is queued again. */
export async function keepLiveModel(db: Queryable, modelId: number): Promise<EmbeddingModel> {
  await retireFilling(db);
  await retryFailed(db);
  return db
    .updateTable('embeddingModels')
    .set({ isFilled: false, filledTenantId: '', filledChunkId: '' })
    .where('id', '=', modelId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const retireFilling = (db: Queryable) =>
  db
    .updateTable('embeddingModels')
    .set({ status: 'retired', statusTime: sql`now()` })
    .where('status', '=', 'filling')
    .execute();

/** Texts that one model failed on are tried again at once: another one may take them. */
async function retryFailed(database: Queryable): Promise<void> {
  const db = unscoped(database, 'Texts of all tenants that one model failed on are tried with the next.');
  await sql`
    update embedding_queue set retry_time = now(), attempts = 0, error = null where error is not null
  `.execute(db);
}

/** @throws EndpointError where a vector cannot be compared with those of the model that are stored */
export function assertDimensions(
  vector: Float32Array,
  { dimensions, name }: Pick<EmbeddingModel, 'dimensions' | 'name'>,
): void {
  if (vector.length === dimensions) return;
  throw new EndpointError(
    'embedding',
    'other-dimensions',
    `${name} has given vectors of ${dimensions} dimensions, and gives ${vector.length} now. Rebuild them: lectern search embed --rebuild`,
  );
}
