import { type Selectable, sql } from 'kysely';
import type { Database, EmbeddingModelTable, Queryable } from '../../../db/schema.js';
import { type EmbeddingEndpoint, embedTexts } from './endpoint.js';
import { knowsScript, scriptProbes } from './scripts.js';

/** What vectors depend on, as configured. */
export interface EmbeddingSettings {
  endpoint: EmbeddingEndpoint;
  /** Put before each question and each passage, which some models were trained with. */
  queryPrefix: string;
  passagePrefix: string;
}

/** A model whose vectors are stored. */
export type EmbeddingModel = Selectable<EmbeddingModelTable>;

/** The model whose vectors searches use; undefined before any was configured. */
export async function readLiveModel(db: Queryable): Promise<EmbeddingModel | undefined> {
  return db.selectFrom('embeddingModels').selectAll().where('status', '=', 'live').executeTakeFirst();
}

/**
 * The model that texts are embedded with: the live one, or the one that will take its place. A configuration that
 * neither has makes another one; the first one ever is live at once.
 *
 * @throws EndpointError when the endpoint does not answer a new model's first request
 */
export async function ensureModel(
  db: Database,
  settings: EmbeddingSettings,
  signal: AbortSignal,
): Promise<EmbeddingModel> {
  const models = await db
    .selectFrom('embeddingModels')
    .selectAll()
    .where('status', 'in', ['filling', 'live'])
    .orderBy('status')
    .execute();
  const known = models.find((model) => isSame(model, settings));
  if (known?.status === 'filling' || (known && models.length === 1)) return known;
  if (known) {
    await retireFilling(db);
    return known;
  }
  const { dimensions, scripts } = await measureModel(settings, signal);
  return db.transaction().execute(async (tx) => {
    await retireFilling(tx);
    const { endpoint, queryPrefix, passagePrefix } = settings;
    return tx
      .insertInto('embeddingModels')
      .values({
        status: models.some(({ status }) => status === 'live') ? 'filling' : 'live',
        url: endpoint.url,
        name: endpoint.model,
        dimensions,
        queryPrefix,
        passagePrefix,
        scripts,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Embeds all texts anew, into the place of the live vectors. */
export async function startRebuild(db: Database): Promise<EmbeddingModel | undefined> {
  return db.transaction().execute(async (tx) => {
    await retireFilling(tx);
    return tx
      .insertInto('embeddingModels')
      .columns(['status', 'url', 'name', 'dimensions', 'queryPrefix', 'passagePrefix', 'scripts'])
      .expression((eb) =>
        eb
          .selectFrom('embeddingModels')
          .select(sql<'filling'>`'filling'`.as('status'))
          .select(['url', 'name', 'dimensions', 'queryPrefix', 'passagePrefix', 'scripts'])
          .where('status', '=', 'live'),
      )
      .returningAll()
      .executeTakeFirst();
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

const retireFilling = (db: Queryable) =>
  db
    .updateTable('embeddingModels')
    .set({ status: 'retired', statusTime: sql`now()` })
    .where('status', '=', 'filling')
    .execute();

function isSame(model: EmbeddingModel, { endpoint, queryPrefix, passagePrefix }: EmbeddingSettings): boolean {
  return (
    model.url === endpoint.url &&
    model.name === endpoint.model &&
    model.dimensions === (endpoint.dimensions ?? model.dimensions) &&
    model.queryPrefix === queryPrefix &&
    model.passagePrefix === passagePrefix
  );
}

/** Asks for the vectors of a few sentences: how many dimensions there are, and which scripts the model knows. */
async function measureModel(
  { endpoint, queryPrefix, passagePrefix }: EmbeddingSettings,
  signal: AbortSignal,
): Promise<Pick<EmbeddingModel, 'dimensions' | 'scripts'>> {
  const scripts: string[] = [];
  let dimensions = 0;
  for (const { script, questions, answers } of scriptProbes) {
    const texts = [
      ...questions.map((question) => queryPrefix + question),
      ...answers.map((passage) => passagePrefix + passage),
    ];
    const { vectors } = await embedTexts(endpoint, texts, signal);
    dimensions = vectors[0]?.length ?? 0;
    if (knowsScript(vectors.slice(0, questions.length), vectors.slice(questions.length)))
      scripts.push(script);
  }
  return { dimensions, scripts };
}
