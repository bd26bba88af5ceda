import type { Queryable } from '../../../db/schema.js';
import { withDeadline } from '../../async/linked-signals.js';
import { EndpointError } from '../../model-endpoint/endpoint-error.js';
import { toOperatorMessage } from '../../model-endpoint/operator-message.js';
import type { EmbeddingSettings } from './endpoint.js';
import { embedTexts } from './endpoint.js';
import { assertDimensions, findConfiguredModel } from './models.js';

/** Some endpoints load the model first. */
const TIMEOUT_MS = 30_000;

/**
 * Embeds one text as configured, and compares its vector with those that are stored.
 *
 * @returns what is wrong, and what to do; undefined where nothing is
 */
export async function checkEndpoint(
  db: Queryable,
  settings: EmbeddingSettings,
  stopping: AbortSignal,
): Promise<string | undefined> {
  try {
    const ask = (signal: AbortSignal) =>
      embedTexts(settings.endpoint, [`${settings.passagePrefix}?`], signal);
    const { vectors } = await withDeadline(TIMEOUT_MS, stopping, ask);
    const model = await findConfiguredModel(db, settings);
    if (model) assertDimensions(vectors[0] as Float32Array, model);
    return undefined;
  } catch (error) {
    if (error instanceof EndpointError) return toOperatorMessage(error);
    throw error;
  }
}
