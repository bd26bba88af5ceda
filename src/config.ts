import { availableParallelism } from 'node:os';
import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { createRedactor } from './logging/redact.js';
import {
  limitsRequiringKeys,
  type RateLimitConfig,
  rateLimitText,
  resolveRateLimits,
} from './rate-limit/config.js';
import type { StreamLimits } from './rate-limit/stream-limit.js';

const MIB = 1024 * 1024;
const STREAMS_PER_TENANT = 200;
const bytes = (fallback: number) => z.coerce.number().int().min(1).max(10_737_418_240).default(fallback);
const serverUrl = z
  .string()
  .regex(/^https?:\/\/./, 'must begin with http:// or https://')
  .optional();
const streams = z.coerce.number().int().min(1).max(1_000_000);
const quota = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();
const name = z.string().min(1).max(255);

/** The environment, all of it optional. Each entry is explained in `.env.example`. */
const environment = z.object({
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
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres:// or postgresql://')
    .refine((url) => URL.canParse(url), 'must be a valid URL')
    .optional(),
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
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
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
  CHUNK_SIZE: z.coerce.number().int().min(100).max(8_000).default(1_000),
  CHUNK_OVERLAP: z.coerce.number().int().min(0).max(4_000).default(100),
  MEILI_URL: serverUrl,
  MEILI_API_KEY: z.string().optional(),
  MEILI_ADMIN_KEY: z.string().optional(),
  MEILI_INDEX_PREFIX: z
    .string()
    .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be at most 64 letters, digits, - and _')
    .default('lectern_'),
  MEILI_SEARCH_TIMEOUT_MS: z.coerce.number().int().min(10).max(60_000).default(2_000),
  SEARCH_FALLBACK: z.enum(['none', 'postgres']).default('none'),
  QUOTA_DOCUMENTS: quota,
  QUOTA_CHUNKS: quota,
  QUOTA_STORED_BYTES: quota,
  MAX_PAGE_SIZE: z.coerce.number().int().min(1).max(10_000).default(100),
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
  REQUEST_TIMEOUT_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
  MAX_CONNECTIONS: z.coerce.number().int().min(1).max(1_000_000).default(10_000),
  MAX_STREAMS: streams.default(1_000),
  MAX_STREAMS_PER_KEY: streams.default(100),
  MAX_STREAMS_PER_TENANT: streams.optional(),
});

const isWebOrigin = (text: string): boolean =>
  /^https?:[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

function isAllowEntry(entry: string): boolean {
  if (entry.includes('/')) return ipaddr.isValidCIDR(entry);
  return /^[^\s@?#\\]+$/.test(entry) && URL.canParse(`http://${entry.replace(/^\*\./, '')}`);
}

const isProxy = (entry: string): boolean => ipaddr.isValid(entry) || ipaddr.isValidCIDR(entry);

function isLoopback(host: string): boolean {
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'loopback';
  return host.toLowerCase() === 'localhost';
}

export interface Config {
  port: number;
  host: string;
  /** Whether callers need an API key. Undefined where others can reach HOST and nobody said it: then nobody may listen. */
  authMode: 'open' | 'required' | undefined;
  /** Whose word on the address of a caller is taken: so many proxies, or these. */
  trustProxy: number | string[];
  rateLimits: RateLimitConfig & { store: 'postgres' | 'memory' };
  /** The web pages that may call the API from a browser: their origins, or `*`. */
  corsOrigins: string[];
  /** How long a request may take to arrive. */
  requestTimeoutMs: number;
  maxConnections: number;
  streamLimits: StreamLimits;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Where uploaded files are kept; in `dataDir` when not said. */
  storageUrl: string | undefined;
  /** What documents may name; all that the credentials can read where absent. */
  sourceBuckets: string[] | undefined;
  /** Another S3 server than Amazon's. */
  s3Endpoint: string | undefined;
  /** Web hosts that documents may come from, and webhooks go to, although they are private. */
  fetchAllowHosts: string[];
  fetchTimeoutMs: number;
  logLevel: string;
  defaultTenantUnit: { tenantId: string; tenantUnitId: string };
  maxJsonBytes: number;
  maxUploadBytes: number;
  maxPageSize: number;
  /** How much each tenant may have, where that is limited. */
  quotas: { documents: number | undefined; chunks: number | undefined; bytes: number | undefined };
  /** How many documents are processed at a time. */
  ingestConcurrency: number;
  ingestMemoryBytes: number;
  ingestTimeoutMs: number;
  /** Of one document. */
  maxChunksPerDocument: number;
  chunking: { size: number; overlap: number };
  /** The search server; PostgreSQL searches where absent. */
  meilisearch: SearchServerConfig | undefined;
  /** Whether PostgreSQL searches while the search server cannot. */
  searchFallback: boolean;
}

export interface SearchServerConfig {
  url: string;
  apiKey: string | undefined;
  adminKey: string | undefined;
  prefix: string;
  searchTimeoutMs: number;
}

/** Every bad variable at once, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const redact = createRedactor();

/**
 * Reads the configuration from environment variables. An empty variable counts as absent.
 *
 * @throws ConfigError naming every variable that does not fit
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = environment.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map(
      ({ path: [variable], message }) =>
        `  ${String(variable)}: ${message} (is ${redact(JSON.stringify(env[String(variable)]))})`,
    );
    throw new ConfigError(
      `Bad configuration:\n${lines.join('\n')}\nSee .env.example for what each may hold.`,
    );
  }
  const parsed = result.data;
  // Nobody lets everybody in by having forgotten something.
  const authMode = parsed.AUTH_MODE ?? (isLoopback(parsed.HOST) ? 'open' : undefined);
  return {
    port: parsed.PORT,
    host: parsed.HOST,
    authMode,
    trustProxy: parsed.TRUST_PROXY,
    rateLimits: readLimits(parsed, authMode),
    corsOrigins: parsed.CORS_ORIGINS,
    requestTimeoutMs: parsed.REQUEST_TIMEOUT_SECONDS * 1000,
    maxConnections: parsed.MAX_CONNECTIONS,
    streamLimits: readStreamLimits(parsed, authMode),
    dataDir: path.resolve(parsed.DATA_DIR),
    databaseUrl: parsed.DATABASE_URL,
    storageUrl: parsed.STORAGE_URL,
    sourceBuckets: parsed.SOURCE_BUCKETS,
    s3Endpoint: parsed.AWS_ENDPOINT_URL_S3 ?? parsed.AWS_ENDPOINT_URL,
    fetchAllowHosts: parsed.FETCH_ALLOW_HOSTS,
    fetchTimeoutMs: parsed.FETCH_TIMEOUT_SECONDS * 1000,
    logLevel: parsed.LOG_LEVEL,
    defaultTenantUnit: { tenantId: parsed.DEFAULT_TENANT_ID, tenantUnitId: parsed.DEFAULT_TENANT_UNIT_ID },
    maxJsonBytes: parsed.MAX_JSON_BYTES,
    maxUploadBytes: parsed.MAX_UPLOAD_BYTES,
    maxPageSize: parsed.MAX_PAGE_SIZE,
    quotas: {
      documents: parsed.QUOTA_DOCUMENTS,
      chunks: parsed.QUOTA_CHUNKS,
      bytes: parsed.QUOTA_STORED_BYTES,
    },
    ingestConcurrency: parsed.INGEST_CONCURRENCY,
    ingestMemoryBytes: parsed.INGEST_MEMORY_MB * MIB,
    ingestTimeoutMs: parsed.INGEST_TIMEOUT_SECONDS * 1000,
    maxChunksPerDocument: parsed.MAX_CHUNKS_PER_DOCUMENT,
    chunking: { size: parsed.CHUNK_SIZE, overlap: parsed.CHUNK_OVERLAP },
    meilisearch: parsed.MEILI_URL
      ? {
          url: parsed.MEILI_URL,
          apiKey: parsed.MEILI_API_KEY,
          adminKey: parsed.MEILI_ADMIN_KEY,
          prefix: parsed.MEILI_INDEX_PREFIX,
          searchTimeoutMs: parsed.MEILI_SEARCH_TIMEOUT_MS,
        }
      : undefined,
    searchFallback: parsed.SEARCH_FALLBACK === 'postgres',
  };
}

const LIMIT_VARIABLES = {
  keyRequests: 'RATE_LIMIT_KEY_REQUESTS',
  tenantRequests: 'RATE_LIMIT_TENANT_REQUESTS',
  keyUploadBytes: 'RATE_LIMIT_KEY_UPLOAD_BYTES',
  tenantUploadBytes: 'RATE_LIMIT_TENANT_UPLOAD_BYTES',
  failedKeys: 'RATE_LIMIT_FAILED_KEYS',
} as const;

function readLimits(read: z.infer<typeof environment>, authMode: Config['authMode']): Config['rateLimits'] {
  const names = Object.keys(LIMIT_VARIABLES) as (keyof typeof LIMIT_VARIABLES)[];
  const overrides = Object.fromEntries(names.map((name) => [name, read[LIMIT_VARIABLES[name]]]));
  const [unmet] = authMode === 'open' ? limitsRequiringKeys(overrides) : [];
  if (unmet) throw needsKeys(LIMIT_VARIABLES[unmet]);
  return {
    store: read.RATE_LIMIT_STORE,
    ...resolveRateLimits(overrides, { withKeys: authMode !== 'open' }),
  };
}

function readStreamLimits(
  { MAX_STREAMS, MAX_STREAMS_PER_KEY, MAX_STREAMS_PER_TENANT }: z.infer<typeof environment>,
  authMode: Config['authMode'],
): StreamLimits {
  if (authMode === 'open' && MAX_STREAMS_PER_TENANT !== undefined) throw needsKeys('MAX_STREAMS_PER_TENANT');
  return {
    total: MAX_STREAMS,
    perKey: MAX_STREAMS_PER_KEY,
    perTenant: MAX_STREAMS_PER_TENANT ?? STREAMS_PER_TENANT,
  };
}

const needsKeys = (variable: string) =>
  new ConfigError(
    `${variable} needs AUTH_MODE=required: without keys nobody knows whom a request is of. Set that, or leave the limit out.`,
  );

/**
 * For whoever is about to listen; commands that do not may run before anybody has decided.
 *
 * @throws ConfigError where others could call and nobody said whether they need a key
 */
export function assertAuthModeSet({ host, authMode }: Pick<Config, 'host' | 'authMode'>): void {
  if (authMode !== undefined || isLoopback(host)) return;
  throw new ConfigError(
    `HOST is ${host}, which others can reach, and AUTH_MODE does not say whether they need an API key.
  AUTH_MODE=required  lets in who has one; make the first with: npx lectern keys create --tenant <tenant> --name <name> --admin
  AUTH_MODE=open      lets everybody read, change and delete everything`,
  );
}
