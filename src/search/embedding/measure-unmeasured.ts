import type { Database } from '../../../db/schema.js';
import { EndpointError } from '../../model-endpoint/endpoint-error.js';
import type { EmbeddingSettings } from './endpoint.js';
import { findKey } from './find-key.js';
import { measureModel } from './measure-model.js';
import { type EmbeddingModel, selectCurrentModels } from './models.js';

/**
 * Measures what the cosines of models mean that an older version has made: the live one, and the one that will take its
 * place. An endpoint that does not answer leaves its model as it is: it embeds no questions either.
 */
export async function measureUnmeasured(
  db: Database,
  settings: EmbeddingSettings & { previousApiKey?: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  const models = await selectCurrentModels(db).where('cosines', 'is', null).execute();
  for (const model of models) {
    const measured = await measure(model, findKey(model.url, settings), signal);
    if (!measured) continue;
    const { cosines, center } = measured;
    await db
      .updateTable('embeddingModels')
      .set({ cosines: JSON.stringify(cosines), center })
      .where('id', '=', model.id)
      .execute();
  }
}

async function measure(model: EmbeddingModel, apiKey: string | undefined, signal: AbortSignal) {
  const { url, name, queryPrefix, passagePrefix, requestedDimensions, center } = model;
  const endpoint = { url, apiKey, model: name, dimensions: requestedDimensions ?? undefined };
  try {
    return await measureModel({ endpoint, queryPrefix, passagePrefix, center }, signal);
  } catch (error) {
    if (error instanceof EndpointError) return undefined;
    throw error;
  }
}
