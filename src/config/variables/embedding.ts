import { z } from 'zod';
import { group } from './group.js';
import { milliseconds, name, serverUrl } from './shapes.js';

/** `none` is what an empty variable cannot say, which counts as absent. */
const prefix = z
  .string()
  .max(1_000)
  .transform((value) => (value === 'none' ? '' : value))
  .optional();
const positive = z.coerce.number().int().min(1);

/** Search by meaning. */
export const embedding = group({
  title: 'Search by meaning',
  note: 'EMBEDDING_MODEL turns it on. Lectern sends texts of chunks and questions to the endpoint. If you change the model, Lectern embeds all texts again. Until it has finished, searches use the old vectors, so keep the old model available.',
  variables: {
    EMBEDDING_URL: serverUrl.meta({
      description: 'An endpoint with the API of OpenAI, /v1/embeddings.',
      fallback: 'the hosted API of OpenAI',
      examples: ['http://127.0.0.1:11434/v1'],
    }),
    EMBEDDING_MODEL: name
      .optional()
      .meta({ description: 'The model that embeds texts.', examples: ['nomic-embed-text'] }),
    EMBEDDING_API_KEY: z.string().optional().describe('Key for the endpoint.'),
    EMBEDDING_PREVIOUS_API_KEY: z
      .string()
      .optional()
      .describe(
        'Key for the old model while searches still use it, if its origin differs from that of EMBEDDING_URL.',
      ),
    EMBEDDING_DIMENSIONS: positive
      .max(8_192)
      .optional()
      .meta({
        description: 'Dimensions to ask for, if the model supports it.',
        fallback: 'those of the model',
        examples: ['512'],
      }),
    EMBEDDING_QUERY_PREFIX: prefix.meta({
      description:
        'Put before each question, for models that were trained with it, such as "query: " for E5; none for nothing.',
      fallback: 'that of the model, where its family is known',
      examples: ['none'],
    }),
    EMBEDDING_PASSAGE_PREFIX: prefix.meta({
      description: 'Put before each passage, such as "passage: " for E5; none for nothing.',
      fallback: 'that of the model, where its family is known',
      examples: ['none'],
    }),
    EMBEDDING_BATCH_SIZE: positive.max(256).default(32).describe('Texts in one request to the endpoint.'),
    EMBEDDING_CONCURRENCY: positive.max(64).default(2).describe('Requests to the endpoint at a time.'),
    EMBEDDING_REQUESTS_PER_MINUTE: positive.optional().meta({
      description: 'Maximum requests per minute of background work.',
      fallback: 'unlimited',
      examples: ['3000'],
    }),
    EMBEDDING_TOKENS_PER_MINUTE: positive.optional().meta({
      description: 'Maximum tokens per minute of background work.',
      fallback: 'unlimited',
      examples: ['1000000'],
    }),
    EMBEDDING_SEARCH_TIMEOUT_MS: milliseconds
      .default(800)
      .describe(
        'How long a search waits for the vector of its question. After that, and while the endpoint fails, it uses words only.',
      ),
    EMBEDDING_CACHE_MIB: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_536)
      .default(128)
      .describe(
        'Memory for vectors of searched datasets, one bit for each dimension: 128 MiB hold 2.7 million vectors of 384 dimensions.',
      ),
  },
});
