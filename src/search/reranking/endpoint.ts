import { postJson } from '../../model-endpoint/post-json.js';
import { ENDPOINT, readScores } from './read-scores.js';

/** Text Embeddings Inference takes no more in a request, unless it is configured to. */
const MAX_TEI_TEXTS = 32;
/** Of one score with what surrounds it, and of a character where the answer repeats the texts. */
const MAX_SCORE_BYTES = 512;
const MAX_CHARACTER_BYTES = 6;
const MAX_OTHER_BYTES = 16 * 1024;

/** An endpoint that scores how well texts answer a question. */
export interface RerankEndpoint {
  /** Of the API, such as `http://127.0.0.1:8000/v1`; requests go to `rerank` under it. */
  url: string;
  apiKey?: string | undefined;
  /** Undefined for Text Embeddings Inference, which serves one model and takes requests of its own form. */
  model?: string | undefined;
}

/**
 * Scores texts by a question.
 *
 * @param texts none of them empty
 * @returns a score for each text, in their order, on the scale of the model
 * @throws EndpointError
 */
export async function rerankTexts(
  endpoint: RerankEndpoint,
  question: string,
  texts: string[],
  signal: AbortSignal,
): Promise<number[]> {
  const { model } = endpoint;
  // What all of them take; each scores all texts where nothing else is asked for.
  if (model !== undefined)
    return request(endpoint, texts, { model, query: question, documents: texts }, signal);
  const batches: string[][] = [];
  for (let i = 0; i < texts.length; i += MAX_TEI_TEXTS) batches.push(texts.slice(i, i + MAX_TEI_TEXTS));
  const scores = await Promise.all(
    batches.map((batch) =>
      request(endpoint, batch, { query: question, texts: batch, truncate: true }, signal),
    ),
  );
  return scores.flat();
}

async function request(
  { url, apiKey }: RerankEndpoint,
  texts: string[],
  body: unknown,
  signal: AbortSignal,
): Promise<number[]> {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  const found = await postJson({
    endpoint: ENDPOINT,
    url,
    path: 'rerank',
    apiKey,
    body,
    signal,
    maxBytes: MAX_OTHER_BYTES + texts.length * MAX_SCORE_BYTES + characters * MAX_CHARACTER_BYTES,
  });
  return readScores(found, texts.length);
}
