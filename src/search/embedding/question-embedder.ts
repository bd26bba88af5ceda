import type { CircuitBreaker } from '../model-endpoint/circuit-breaker.js';
import { cutQuestion } from '../model-endpoint/cut-question.js';
import { embedTexts } from './endpoint.js';
import { assertDimensions, type EmbeddingModel } from './models.js';

/** Vectors of questions that were asked lately. */
const MAX_CACHED = 2_000;

export interface QuestionEmbedder {
  /** @returns undefined where the endpoint does not answer in time, which it is not asked again until it does */
  embed(model: EmbeddingModel, question: string): Promise<Float32Array | undefined>;
}

export interface QuestionEmbedderOptions {
  /** The key for the endpoint of a model: the live one may be another provider's than the configured one. */
  keyFor(url: string): string | undefined;
  /** For the endpoint of one model, until `ended` fires. */
  createBreaker(ended: AbortSignal): CircuitBreaker;
}

/** Embeds questions, each once. */
export function createQuestionEmbedder({ keyFor, createBreaker }: QuestionEmbedderOptions): QuestionEmbedder {
  const cached = new Map<string, Promise<Float32Array | undefined>>();
  let current: { modelId: number; breaker: CircuitBreaker; ended: AbortController } | undefined;
  return { embed };

  /** Another model's endpoint may answer where the former one's does not. */
  function breakerOf({ id: modelId }: EmbeddingModel): CircuitBreaker {
    if (current?.modelId !== modelId) {
      current?.ended.abort();
      const ended = new AbortController();
      current = { modelId, breaker: createBreaker(ended.signal), ended };
    }
    return current.breaker;
  }

  function embed(model: EmbeddingModel, question: string): Promise<Float32Array | undefined> {
    const key = `${model.id} ${question}`;
    const found = cached.get(key);
    if (found) {
      // The last one used is the last to be dropped.
      cached.delete(key);
      cached.set(key, found);
      return found;
    }
    if (breakerOf(model).isOpen()) return Promise.resolve(undefined);
    const vector = request(model, question);
    cached.set(key, vector);
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value as string);
    return vector.then((one) => {
      if (!one) cached.delete(key);
      return one;
    });
  }

  function request(model: EmbeddingModel, question: string): Promise<Float32Array | undefined> {
    return breakerOf(model).call(
      (signal) => ask(model, model.queryPrefix + cutQuestion(question), signal),
      (signal) => ask(model, '?', signal),
    );
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
}
