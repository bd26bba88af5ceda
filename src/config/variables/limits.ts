import { z } from 'zod';
import { describeDefault, rateLimitText } from '../../rate-limit/config.js';
import { MAX_BATCH } from '../../services/shared/pagination.js';
import { group } from './group.js';
import { bytes, MIB } from './shapes.js';

/** Open streams of a tenant, where nothing else is set. */
export const STREAMS_PER_TENANT = 200;

/** With which openapi.json is made. */
export const DEFAULT_MAX_PAGE_SIZE = 100;

const streams = z.coerce.number().int().min(1).max(1_000_000);
const connections = z.coerce.number().int().min(1).max(1_000_000);
const withKeys = (name: Parameters<typeof describeDefault>[0]) => ({
  fallback: `${describeDefault(name)} with API keys, otherwise off`,
  examples: [describeDefault(name)],
});

/** Limits of requests. */
export const limits = group({
  title: 'Limits of requests',
  note: 'Rate limits are `<amount>/<seconds>` or `off`: a token bucket of that amount, which refills in that many seconds. Beyond it: 429. In open mode, only the limits that you set apply, and they count by client address instead of key. Limits of tenants and of failed keys need API keys. Limits of keys also count for each user with a token.',
  variables: {
    MAX_JSON_BYTES: bytes(16 * MIB).describe(
      'Largest JSON body, in bytes. Beyond it: 413. A body of any size has at most 50,000 values.',
    ),
    MAX_UPLOAD_BYTES: bytes(100 * MIB).describe(
      'Largest uploaded or fetched file, in bytes. Beyond it: 413.',
    ),
    MAX_PAGE_SIZE: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_BATCH)
      .default(DEFAULT_MAX_PAGE_SIZE)
      .describe('Maximum items in a page, in a list of ids and in top_k. Beyond it: 422.'),
    RATE_LIMIT_KEY_REQUESTS: rateLimitText.meta({
      description: 'Requests of each key.',
      ...withKeys('keyRequests'),
    }),
    RATE_LIMIT_TENANT_REQUESTS: rateLimitText.meta({
      description: 'Requests of each tenant.',
      ...withKeys('tenantRequests'),
    }),
    RATE_LIMIT_KEY_SUGGESTIONS: rateLimitText.meta({
      description: 'Suggestions while a question is typed, of each key. They do not count as other requests.',
      ...withKeys('keySuggestions'),
    }),
    RATE_LIMIT_TENANT_SUGGESTIONS: rateLimitText.meta({
      description: 'Suggestions of each tenant.',
      ...withKeys('tenantSuggestions'),
    }),
    RATE_LIMIT_KEY_UPLOAD_BYTES: rateLimitText.meta({
      description: 'Bytes of bodies of 64 KiB and more, uploads or JSON, of each key.',
      ...withKeys('keyUploadBytes'),
    }),
    RATE_LIMIT_TENANT_UPLOAD_BYTES: rateLimitText.meta({
      description: 'Bytes of bodies of 64 KiB and more, uploads or JSON, of each tenant.',
      ...withKeys('tenantUploadBytes'),
    }),
    RATE_LIMIT_FAILED_KEYS: rateLimitText.meta({
      description:
        'Failed authentications from each client address. Beyond it, the server accepts only valid keys from the address.',
      ...withKeys('failedKeys'),
    }),
    RATE_LIMIT_STORE: z
      .enum(['postgres', 'memory'])
      .default('postgres')
      .describe(
        'postgres: the servers of a database share limits, and lease up to a sixteenth of a bucket. memory: each process counts for itself.',
      ),
    REQUEST_TIMEOUT_SECONDS: z.coerce
      .number()
      .int()
      .min(1)
      .max(86_400)
      .default(300)
      .describe('Timeout for receiving a request with its body. Beyond it: 408.'),
    MAX_CONNECTIONS: connections
      .default(10_000)
      .describe(
        'Maximum connections. Beyond it, the server closes the one that has been without a request for longest, or the new one if all have requests.',
      ),
    MAX_CONNECTIONS_PER_ADDRESS: connections.optional().meta({
      description:
        'Maximum connections from one client address (IPv6: a /64) that is not a trusted proxy. If all clients share an address, set it to MAX_CONNECTIONS.',
      fallback: 'half of MAX_CONNECTIONS; the loopback address is not limited',
      examples: ['5000'],
    }),
    MAX_STREAMS: streams
      .default(1_000)
      .describe('Maximum open streams (server-sent events) of a server process. Beyond it: 429.'),
    MAX_STREAMS_PER_KEY: streams
      .default(100)
      .describe('Maximum open streams of each key, or of each client address in open mode.'),
    MAX_STREAMS_PER_TENANT: streams.optional().meta({
      description: 'Maximum open streams of each tenant. It needs API keys.',
      fallback: `${STREAMS_PER_TENANT} with API keys`,
      examples: [String(STREAMS_PER_TENANT)],
    }),
  },
});
