import { z } from 'zod';
import { group } from './group.js';
import { milliseconds, name, serverUrl } from './shapes.js';

/** The endpoint that reranks. */
export const reranking = group({
  title: 'Reranking',
  note: 'A cross-encoder scores the best 50 candidates of each search. The question and up to 4,000 characters of each text are sent to `rerank` under RERANK_URL.',
  variables: {
    RERANK_URL: serverUrl.meta({
      description: 'The endpoint. Choose a model that supports the languages of the texts.',
      examples: ['http://127.0.0.1:8000/v1'],
    }),
    RERANK_MODEL: name.optional().meta({
      description:
        'The model, for the API of Jina, Cohere, Voyage AI, vLLM and llama.cpp. Without it, the API is that of Text Embeddings Inference.',
      examples: ['BAAI/bge-reranker-v2-m3'],
    }),
    RERANK_API_KEY: z.string().optional().describe('Key for the endpoint.'),
    RERANK_TIMEOUT_MS: milliseconds
      .default(800)
      .describe(
        'How long a search waits for the scores. After that, and while the endpoint fails, its hits are not reranked.',
      ),
  },
});
