import type { CircuitBreaker } from '../model-endpoint/circuit-breaker.js';
import { cutQuestion } from '../model-endpoint/cut-question.js';
import { embedTexts } from './endpoint.js';
import type { EmbeddingModel } from './models.js';

/** Vectors of questions that were asked lately. */
const MAX_CACHED = 2_000;

export interface QuestionEmbedder {
  /** @returns undefined where the endpoint does not answer in time, which it is not asked again until it does */
  embed(model: EmbeddingModel, question: string): Promise<Float32Array | undefined>;
}

export interface QuestionEmbedderOptions {
  apiKey: string | undefined;
  breaker: CircuitBreaker;
}

/** Embeds questions, each once. */
export function createQuestionEmbedder({ apiKey, breaker }: QuestionEmbedderOptions): QuestionEmbedder {
  const cached = new Map<string, Promise<Float32Array | undefined>>();
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
    if (breaker.isOpen()) return Promise.resolve(undefined);
    const vector = request(model, question);
    cached.set(key, vector);
    if (cached.size > MAX_CACHED) cached.delete(cached.keys().next().value as string);
    return vector.then((one) => {
      if (!one) cached.delete(key);
      return one;
    });
  }

  function request(model: EmbeddingModel, question: string): Promise<Float32Array | undefined> {
    const endpoint = { url: model.url, apiKey, model: model.name, dimensions: model.dimensions };
    const embedOne = async (text: string, signal: AbortSignal) =>
      (await embedTexts(endpoint, [text], signal)).vectors[0];
    return breaker.call(
      (signal) => embedOne(model.queryPrefix + cutQuestion(question), signal),
      (signal) => embedOne('?', signal),
    );
  }
}
