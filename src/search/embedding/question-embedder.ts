import type { Logger } from 'pino';
import { pollUntil } from '../poll-until.js';
import { embedTexts } from './endpoint.js';
import { EmbeddingError } from './errors.js';
import { assertDimensions, type EmbeddingModel } from './models.js';

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
  /** The key for the endpoint of a model: the live one may be another provider's than the configured one. */
  keyFor(url: string): string | undefined;
  timeoutMs: number;
  stopping: AbortSignal;
  log: Logger;
}

/** Embeds questions, each once, within a time limit; a failure costs one search its time, not all that follow. */
export function createQuestionEmbedder({
  keyFor,
  timeoutMs,
  stopping,
  log,
}: QuestionEmbedderOptions): QuestionEmbedder {
  const cached = new Map<string, Promise<Float32Array | undefined>>();
  /** The model whose endpoint does not answer; another one's may. */
  let downModelId: number | undefined;
  return { embed };

  function embed(model: EmbeddingModel, question: string): Promise<Float32Array | undefined> {
    if (downModelId !== model.id) downModelId = undefined;
    const key = `${model.id} ${question}`;
    const found = cached.get(key);
    if (found) {
      // The last one used is the last to be dropped.
      cached.delete(key);
      cached.set(key, found);
      return found;
    }
    if (downModelId === model.id) return Promise.resolve(undefined);
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
    try {
      return await ask(model, text, AbortSignal.timeout(timeoutMs));
    } catch (error) {
      if (!(error instanceof EmbeddingError)) throw error;
      // This text alone.
      if (error.failure === 'text-refused') return undefined;
      if (downModelId !== model.id) {
        downModelId = model.id;
        log.warn({ reason: error.message }, 'questions are not embedded; searches go by words alone');
        void waitUntilUp(model, error.details.retryAfterMs);
      }
      return undefined;
    }
  }

  async function ask(model: EmbeddingModel, text: string, signal: AbortSignal): Promise<Float32Array> {
    const { url, name, requestedDimensions } = model;
    const endpoint = {
      url,
      apiKey: keyFor(url),
      model: name,
      // Models that have but one size refuse to be asked for it.
      dimensions: requestedDimensions ?? undefined,
    };
    const { vectors } = await embedTexts(endpoint, [text], signal);
    const vector = vectors[0] as Float32Array;
    assertDimensions(vector, model);
    return vector;
  }

  async function waitUntilUp(model: EmbeddingModel, retryAfterMs = 0): Promise<void> {
    const isOver = async () =>
      downModelId !== model.id ||
      ask(model, '?', AbortSignal.any([stopping, AbortSignal.timeout(PROBE_TIMEOUT_MS)])).then(
        () => true,
        () => false,
      );
    const firstPauseMs = Math.max(FIRST_PAUSE_MS, Math.min(retryAfterMs, LONGEST_PAUSE_MS));
    if (!(await pollUntil(isOver, { firstPauseMs, longestPauseMs: LONGEST_PAUSE_MS, stopping }))) return;
    if (downModelId !== model.id) return;
    downModelId = undefined;
    log.info('questions are embedded again');
  }
}
