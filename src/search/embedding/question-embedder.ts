import type { Logger } from 'pino';
import { pollUntil } from '../poll-until.js';
import { type EmbeddingEndpoint, embedTexts } from './endpoint.js';
import { EmbeddingError } from './errors.js';
import type { EmbeddingModel } from './models.js';

/** Vectors of questions that were asked lately. */
const MAX_CACHED = 2_000;
/** Longer questions are cut: their vector would not be more telling. */
const MAX_QUESTION_LENGTH = 2_000;
/** While the endpoint does not answer it is tried so often, and waited for so long. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
const PROBE_TIMEOUT_MS = 30_000;

export interface QuestionEmbedder {
  /** @returns undefined where the endpoint does not answer in time, which it is not asked again until it does */
  embed(model: EmbeddingModel, question: string): Promise<Float32Array | undefined>;
}

export interface QuestionEmbedderOptions {
  apiKey: string | undefined;
  timeoutMs: number;
  stopping: AbortSignal;
  log: Logger;
}

/** Embeds questions, each once, within a time limit; a failure costs one search its time, not all that follow. */
export function createQuestionEmbedder({
  apiKey,
  timeoutMs,
  stopping,
  log,
}: QuestionEmbedderOptions): QuestionEmbedder {
  const cached = new Map<string, Promise<Float32Array | undefined>>();
  let isDown = false;
  return { embed };

  function embed(model: EmbeddingModel, question: string): Promise<Float32Array | undefined> {
    const key = `${model.id} ${question}`;
    const found = cached.get(key);
    if (found) {
      // The last one used is the last to be dropped.
      cached.delete(key);
      cached.set(key, found);
      return found;
    }
    if (isDown) return Promise.resolve(undefined);
    const vector = request(model, question);
    cached.set(key, vector);
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value as string);
    return vector.then((one) => {
      if (!one) cached.delete(key);
      return one;
    });
  }

  async function request(model: EmbeddingModel, question: string): Promise<Float32Array | undefined> {
    const text = model.queryPrefix + question.slice(0, MAX_QUESTION_LENGTH);
    const endpoint = { url: model.url, apiKey, model: model.name, dimensions: model.dimensions };
    try {
      const { vectors } = await embedTexts(endpoint, [text], AbortSignal.timeout(timeoutMs));
      return vectors[0];
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      // This text alone.
      if (error.failure === 'text-refused') return undefined;
      if (!isDown) {
        isDown = true;
        log.warn({ reason: error.message }, 'questions are not embedded; searches go by words alone');
        void waitUntilUp(endpoint, error.details.retryAfterMs);
      }
      return undefined;
    }
  }

  async function waitUntilUp(endpoint: EmbeddingEndpoint, retryAfterMs = 0): Promise<void> {
    const isUp = () =>
      embedTexts(endpoint, ['?'], AbortSignal.any([stopping, AbortSignal.timeout(PROBE_TIMEOUT_MS)])).then(
        () => true,
        () => false,
      );
    const firstPauseMs = Math.max(FIRST_PAUSE_MS, Math.min(retryAfterMs, LONGEST_PAUSE_MS));
    if (!(await pollUntil(isUp, { firstPauseMs, longestPauseMs: LONGEST_PAUSE_MS, stopping }))) return;
    isDown = false;
    log.info('questions are embedded again');
  }
}
