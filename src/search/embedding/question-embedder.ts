import type { CircuitBreaker } from '../../model-endpoint/circuit-breaker.js';
import { cutQuestion } from '../../model-endpoint/cut-question.js';
import { embedTexts } from './endpoint.js';
import { assertDimensions, type EmbeddingModel } from './models.js';
import { createQuestionCache } from './question-cache.js';
import type { QuestionTimer } from './slow-questions.js';

/** Vectors of questions that were asked lately. */
const MAX_CACHED = { maxQuestions: 2_000, maxOfTenant: 250 };

export interface QuestionEmbedder {
  /** @returns undefined where the endpoint does not answer in time, which it is not asked again until it does */
  embed(model: EmbeddingModel, tenantId: string, question: string): Promise<Float32Array | undefined>;
  /** Why it has not answered, for operators. */
  lastFailure(model: EmbeddingModel): string | undefined;
}

export interface QuestionEmbedderOptions {
  /** The key for the endpoint of a model: the live one may be another provider's than the configured one. */
  keyFor(url: string): string | undefined;
  /** For the endpoint of one model, until `ended` fires. */
  createBreaker(ended: AbortSignal): CircuitBreaker;
  timer: QuestionTimer;
}

/** Embeds questions, each once for a tenant. */
export function createQuestionEmbedder({
  keyFor,
  createBreaker,
  timer,
}: QuestionEmbedderOptions): QuestionEmbedder {
  const cached = createQuestionCache<Promise<Float32Array | undefined>>(MAX_CACHED);
  let current: { modelId: number; breaker: CircuitBreaker; ended: AbortController } | undefined;
  return { embed, lastFailure: (model) => breakerOf(model).lastFailure() };

  /** Another model's endpoint may answer where the former one's does not. */
  function breakerOf({ id: modelId }: EmbeddingModel): CircuitBreaker {
    if (current?.modelId !== modelId) {
      current?.ended.abort();
      const ended = new AbortController();
      current = { modelId, breaker: createBreaker(ended.signal), ended };
    }
    return current.breaker;
  }

  function embed(
    model: EmbeddingModel,
    tenantId: string,
    question: string,
  ): Promise<Float32Array | undefined> {
    const key = `${model.id} ${model.queryPrefix}${question}`;
    const found = cached.get(tenantId, key);
    if (found) return found;
    if (breakerOf(model).isOpen()) return Promise.resolve(undefined);
    const since = performance.now();
    const vector = request(model, question).finally(() => timer(model, performance.now() - since));
    cached.set(tenantId, key, vector);
    return vector.then((one) => {
      if (!one) cached.delete(tenantId, key, vector);
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
