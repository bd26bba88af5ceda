import type { Config } from '../../../config/config.js';
import { EndpointError } from '../../../model-endpoint/endpoint-error.js';
import { toOperatorMessage } from '../../../model-endpoint/operator-message.js';
import { checkEndpoint } from '../../../search/embedding/check-endpoint.js';
import { embedTexts } from '../../../search/embedding/endpoint.js';
import { rerankTexts } from '../../../search/reranking/endpoint.js';
import { type Check, type ExaminedDatabase, ok, splitAdvice, warning } from '../check.js';

const TIMEOUT_MS = 8_000;

/** Searches go on without either of them, by words. */
export const checkEmbedding: Check = {
  name: 'embedding',
  async run({ config: { embedding }, database }) {
    if (!embedding) return ok('None is configured: searches go by words.');
    const failure = await findFailure(embedding, database);
    const { url, model } = embedding.endpoint;
    if (!failure) return ok(`${model} at ${new URL(url).origin} embeds texts.`);
    const [message, advice] = splitAdvice(failure, 'See lectern search embed.');
    return warning(`${message} Searches go by words.`, advice);
  },
};

async function findFailure(
  embedding: NonNullable<Config['embedding']>,
  database: ExaminedDatabase | undefined,
): Promise<string | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  if (database?.isCurrent) return checkEndpoint(database.db, embedding, signal);
  try {
    await embedTexts(embedding.endpoint, [`${embedding.passagePrefix}?`], signal);
    return undefined;
  } catch (error) {
    if (error instanceof EndpointError) return toOperatorMessage(error);
    throw error;
  }
}

export const checkReranking: Check = {
  name: 'reranking',
  async run({ config: { reranking } }) {
    if (!reranking) return ok('None is configured.');
    try {
      await rerankTexts(reranking.endpoint, '?', ['.'], AbortSignal.timeout(TIMEOUT_MS));
      return ok(`${new URL(reranking.endpoint.url).origin} scores texts.`);
    } catch (error) {
      if (!(error instanceof EndpointError)) throw error;
      const [message, advice] = splitAdvice(toOperatorMessage(error), 'See RERANK_URL.');
      return warning(`${message} Searches are not reranked.`, advice);
    }
  },
};
