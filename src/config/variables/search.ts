import { z } from 'zod';
import { searchModes } from '../../search/chunk-index.js';
import { group } from './group.js';
import { list, milliseconds, serverUrl } from './shapes.js';

const PROPERTY = /^[a-zA-Z0-9_-]{1,64}$/;

/** The search server. */
export const search = group({
  title: 'Search',
  note: 'Without MEILI_URL, PostgreSQL searches. With MEILI_ADMIN_KEY, the server creates and rebuilds the index. For everything else, it creates a key that cannot create or delete indexes. Alternatively, run `lectern search reindex` and `lectern search keys`, and give the server only the key that they create, as MEILI_API_KEY. Without any key, Lectern assumes that the search server requires none.',
  variables: {
    MEILI_URL: serverUrl.meta({
      description: 'A Meilisearch server, 1.36 or newer, that searches chunks.',
      fallback: 'PostgreSQL searches',
      examples: ['http://127.0.0.1:7700'],
    }),
    MEILI_ADMIN_KEY: z
      .string()
      .optional()
      .describe('Master key of the search server, or a key that can create indexes and keys.'),
    MEILI_API_KEY: z.string().optional().describe('Key for indexing and searching only.'),
    MEILI_INDEX_PREFIX: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be at most 64 letters, digits, - and _')
      .default('lectern_')
      .describe(
        'Prefix of the names of the indexes. Databases that share a search server need different ones.',
      ),
    MEILI_PROPERTIES: list
      .refine((names) => names.length <= 20, 'must be at most 20 names')
      .refine(
        (names) => names.every((name) => PROPERTY.test(name)),
        'must be names of letters, digits, - and _',
      )
      .describe(
        'Custom properties of documents that the index has, too, with commas between them: at most 20, of up to 1,000 characters each. A change makes the server rebuild the index. Whoever may search with a token reads them.',
      ),
    MEILI_PUBLIC_URL: serverUrl.meta({
      description:
        'Address of the search server for front ends, which `search.token` gives to them with a token. With a token, its holder can find out how many chunks of all tenants hold a word that they guess.',
      fallback: 'no tokens',
      examples: ['https://search.example.com'],
    }),
    MEILI_TOKEN_KEY: z
      .string()
      .optional()
      .describe(
        'Key that signs the tokens of front ends. With MEILI_ADMIN_KEY, the server creates it; else take it from `lectern search keys`.',
      ),
    MEILI_SEARCH_TIMEOUT_MS: milliseconds
      .default(2_000)
      .describe('Timeout of a search on the search server.'),
    SEARCH_FALLBACK: z
      .enum(['none', 'postgres'])
      .default('none')
      .describe(
        'What searches do while the search server is unavailable. none: they get 503. postgres: PostgreSQL answers them.',
      ),
    SEARCH_MODE: z
      .enum(searchModes)
      .default('hybrid')
      .describe(
        'Mode of searches that do not name one. hybrid: by words and, with embeddings, by meaning. semantic: by meaning. lexical: by words.',
      ),
  },
});
