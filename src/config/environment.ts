import { availableParallelism } from 'node:os';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseAllowedHost } from '../auth/host-names.js';
import { type LogLevels, logAreas, logLevelNames, parseLogLevels } from '../logging/areas.js';
import { rateLimitText } from '../rate-limit/config.js';
import { searchModes } from '../search/chunk-index.js';
import { DEFAULT_CHUNK_SIZE, MAX_CHUNK_SIZE, MIN_CHUNK_SIZE } from '../services/documents/chunking.schema.js';
import { MAX_BATCH } from '../services/shared/pagination.js';
import { withPlainTlsMode } from './database-url.js';

export const MIB = 1024 * 1024;
/** What a process does: answer requests, work in the background, or both. */
export const roles = ['api', 'worker', 'all'] as const;
const bytes = (fallback: number) => z.coerce.number().int().min(1).max(10_737_418_240).default(fallback);
const serverUrl = z
  .string()
  .regex(/^https?:\/\/./, 'must begin with http:// or https://')
  .refine((url) => URL.canParse(url), 'must be a valid URL')
  // fetch refuses them, and its error quotes them.
  .refine(hasNoPassword, 'must have no user and password: a key has a variable of its own')
  .optional();
const connections = (least: number) => z.coerce.number().int().min(least).max(1_000);
const seconds = z.coerce.number().int().min(1).max(3_600);
const days = z.coerce.number().int().min(1).max(36_500);
const streams = z.coerce.number().int().min(1).max(1_000_000);
const quota = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();
const name = z.string().min(1).max(255);

/** The environment, all of it optional. Each entry is explained in `.env.example`. */
export const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  HOST: z.string().min(1).default('127.0.0.1'),
  AUTH_MODE: z.enum(['open', 'required']).optional(),
  TRUST_PROXY: z
    .string()
    .default('0')
    .transform((hops) =>
      /^\d{1,2}$/.test(hops) ? Number(hops) : hops.split(',').map((entry) => entry.trim()),
    )
    .refine(
      (proxies) => typeof proxies === 'number' || proxies.every(isProxy),
      'must be a number of proxies, or a list of their addresses and ranges with commas between them',
    ),
  DATA_DIR: z.string().min(1).default('./data'),
  ROLE: z.enum(roles).default('all'),
  DATABASE_REQUEST_CONNECTIONS: connections(2).default(10),
  DATABASE_SEARCH_CONNECTIONS: connections(1).default(8),
  DATABASE_BACKGROUND_CONNECTIONS: connections(2).default(5),
  DATABASE_CONNECTION_TIMEOUT_SECONDS: seconds.default(5),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: seconds.default(30),
  DATABASE_BACKGROUND_STATEMENT_TIMEOUT_SECONDS: seconds.default(300),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_SECONDS: seconds.default(30),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .refine(
      isDatabaseUrl,
      'must be a valid URL; other characters in user and password than letters, digits, - and _ are written as %40 for @, %23 for #, %2F for /',
    )
    .transform(withPlainTlsMode)
    .optional(),
  STORAGE_TIMEOUT_SECONDS: seconds.default(20),
  STORAGE_URL: z
    .string()
    .regex(
      /^(file:\/(\/\/)?[^/]|s3:\/\/[^/]|gs:\/\/[^/])/,
      'must be file:/folder, s3://bucket/prefix or gs://bucket/prefix',
    )
    .optional(),
  AWS_ENDPOINT_URL_S3: serverUrl,
  AWS_ENDPOINT_URL: serverUrl,
  SOURCE_BUCKETS: z
    .string()
    .transform((list) => list.split(',').map((place) => place.trim()))
    .pipe(z.array(z.string().regex(/^(s3|gs):\/\/[^/]+/, 'must be a list of s3://bucket and gs://bucket')))
    .optional(),
  FETCH_ALLOW_HOSTS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
    .refine(
      (entries) => entries.every(isAllowEntry),
      'must be a list of host, host:port, *.domain or a range as 10.1.0.0/16, with commas between them',
    ),
  FETCH_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(3_600).default(60),
  LOG_LEVEL: z
    .string()
    .default('info')
    .transform((text) => parseLogLevels(text) as LogLevels)
    .refine(
      (levels) => levels !== undefined,
      `must be ${logLevelNames.join(', ')}; after it, with commas between them, levels of ${logAreas.join(', ')}, as in info,requests=warn`,
    ),
  SHUTDOWN_TIMEOUT_SECONDS: seconds.default(30),
  SHUTDOWN_DELAY_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  METRICS_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  METRICS_HOST: z.string().min(1).optional(),
  DEFAULT_TENANT_ID: name.default('default'),
  DEFAULT_TENANT_UNIT_ID: name.default('default'),
  MAX_JSON_BYTES: bytes(16 * MIB),
  MAX_UPLOAD_BYTES: bytes(100 * MIB),
  INGEST_CONCURRENCY: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(Math.max(1, availableParallelism() - 1)),
  INGEST_MEMORY_MB: z.coerce.number().int().min(512).max(65_536).default(1_536),
  INGEST_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(86_400).default(1_800),
  MAX_CHUNKS_PER_DOCUMENT: z.coerce.number().int().min(1).max(10_000_000).default(250_000),
  CHUNK_SIZE: z.coerce.number().int().min(MIN_CHUNK_SIZE).max(MAX_CHUNK_SIZE).default(DEFAULT_CHUNK_SIZE),
  CHUNK_OVERLAP: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_CHUNK_SIZE / 2)
    .default(100),
  MEILI_URL: serverUrl,
  MEILI_API_KEY: z.string().optional(),
  MEILI_ADMIN_KEY: z.string().optional(),
  MEILI_INDEX_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be at most 64 letters, digits, - and _')
    .default('lectern_'),
  MEILI_SEARCH_TIMEOUT_MS: z.coerce.number().int().min(10).max(60_000).default(2_000),
  SEARCH_FALLBACK: z.enum(['none', 'postgres']).default('none'),
  SEARCH_MODE: z.enum(searchModes).default('hybrid'),
  EMBEDDING_URL: serverUrl,
  EMBEDDING_MODEL: name.optional(),
  EMBEDDING_API_KEY: z.string().optional(),
  EMBEDDING_PREVIOUS_API_KEY: z.string().optional(),
  EMBEDDING_DIMENSIONS: z.coerce.number().int().min(1).max(8_192).optional(),
  EMBEDDING_QUERY_PREFIX: z.string().max(1_000).default(''),
  EMBEDDING_PASSAGE_PREFIX: z.string().max(1_000).default(''),
  EMBEDDING_BATCH_SIZE: z.coerce.number().int().min(1).max(256).default(32),
  EMBEDDING_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(2),
  EMBEDDING_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).optional(),
  EMBEDDING_TOKENS_PER_MINUTE: z.coerce.number().int().min(1).optional(),
  EMBEDDING_SEARCH_TIMEOUT_MS: z.coerce.number().int().min(10).max(60_000).default(800),
  EMBEDDING_CACHE_MIB: z.coerce.number().int().min(0).max(65_536).default(128),
  RERANK_URL: serverUrl,
  RERANK_MODEL: name.optional(),
  RERANK_API_KEY: z.string().optional(),
  RERANK_TIMEOUT_MS: z.coerce.number().int().min(10).max(60_000).default(800),
  RETENTION_DELIVERIES_DAYS: days.default(30),
  RETENTION_AUDIT_DAYS: days.optional(),
  RETENTION_INTERVAL_MINUTES: z.coerce.number().int().min(1).max(1_440).default(60),
  QUOTA_DOCUMENTS: quota,
  QUOTA_CHUNKS: quota,
  QUOTA_STORED_BYTES: quota,
  QUOTA_EMBEDDED_TOKENS: quota,
  MAX_PAGE_SIZE: z.coerce.number().int().min(1).max(MAX_BATCH).default(100),
  RATE_LIMIT_STORE: z.enum(['postgres', 'memory']).default('postgres'),
  RATE_LIMIT_KEY_REQUESTS: rateLimitText,
  RATE_LIMIT_TENANT_REQUESTS: rateLimitText,
  RATE_LIMIT_KEY_UPLOAD_BYTES: rateLimitText,
  RATE_LIMIT_TENANT_UPLOAD_BYTES: rateLimitText,
  RATE_LIMIT_FAILED_KEYS: rateLimitText,
  CORS_ORIGINS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
    .refine(
      (origins) => origins.every((origin) => origin === '*' || isWebOrigin(origin)),
      'must be * or a list of origins as https://console.example, with commas between them',
    ),
  ALLOWED_HOSTS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
    .refine(
      (hosts) => hosts.every((host) => parseAllowedHost(host) !== undefined),
      'must be a list of host names as lectern.example, or lectern.example:8080 for one port, with commas between them',
    ),
  REQUEST_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
  MAX_CONNECTIONS: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  MAX_CONNECTIONS_PER_ADDRESS: z.coerce.number().int().min(1).max(1_000_000).optional(),
  OTEL_SDK_DISABLED: z.string().optional(),
  OTEL_TRACES_EXPORTER: z.string().optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.string().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: z.string().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional(),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: z.string().optional(),
  OTEL_PROPAGATORS: z.string().optional(),
  MAX_STREAMS: streams.default(1_000),
  MAX_STREAMS_PER_KEY: streams.default(100),
  MAX_STREAMS_PER_TENANT: streams.optional(),
});

export type Environment = z.output<typeof environment>;

/** A # or / in a password ends the host, whose name is then the user's, and the port no number. */
function isDatabaseUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { password, hash, pathname } = new URL(url);
  try {
    decodeURIComponent(password);
  } catch {
    return false;
  }
  return hash === '' && !pathname.includes('@');
}

function hasNoPassword(url: string): boolean {
  const { username = '', password = '' } = URL.canParse(url) ? new URL(url) : {};
  return username === '' && password === '';
}

const isWebOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

function isAllowEntry(entry: string): boolean {
  if (entry.includes('/')) return ipaddr.isValidCIDR(entry);
  return /^[^\s@?#\\]+$/.test(entry) && URL.canParse(`http://${entry.replace(/^\*\./, '')}`);
}

const isProxy = (entry: string): boolean => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);
