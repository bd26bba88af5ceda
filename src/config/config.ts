import path from 'node:path';
import { providerIdOf } from '../auth/sign-in/providers.js';
import type { TokenIssuer } from '../auth/tokens/token-issuer.js';
import { findKnownPrefixes } from '../search/embedding/known-prefixes.js';
import { ConfigError } from './config-error.js';
import { describeIssue } from './describe-issue.js';
import { type Environment, environment } from './environment.js';
import { readExtraction } from './extraction.js';
import { readConnectionLimits, readRateLimits, readStreamLimits } from './limits.js';
import { isLoopback } from './loopback.js';
import { readTracing } from './tracing.js';
import { MIB } from './variables/shapes.js';

export { ConfigError } from './config-error.js';
export { isLoopback } from './loopback.js';

export type Config = ReturnType<typeof toConfig>;

export interface SearchServerConfig {
  url: string;
  apiKey: string | undefined;
  adminKey: string | undefined;
  prefix: string;
  searchTimeoutMs: number;
  /** Names of the custom properties of documents that the index has. */
  propertyNames?: readonly string[];
  /** Where front ends reach the server. */
  publicUrl?: string | undefined;
  tokenKey?: string | undefined;
}

const DAY_MS = 86_400_000;

/**
 * Reads the configuration from environment variables. An empty variable counts as absent.
 *
 * @param options of the command line, which win
 * @throws ConfigError naming every variable that does not fit
 */
export function readConfig(
  env: NodeJS.ProcessEnv = process.env,
  options: { ROLE?: string | undefined } = {},
): Config {
  const entries = [...Object.entries(env), ...Object.entries(options)];
  const given = Object.fromEntries(entries.filter(([, value]) => value !== '' && value !== undefined));
  const result = environment.safeParse(given);
  if (!result.success) {
    const variables = new Set<PropertyKey | undefined>();
    const lines = result.error.issues.flatMap((issue) => {
      const [variable] = issue.path;
      if (variables.has(variable)) return [];
      variables.add(variable);
      return `  ${describeIssue(issue, given[String(variable)])}`;
    });
    throw new ConfigError(
      `Bad configuration:\n${lines.join('\n')}\nSee .env.example for what each may hold.`,
      lines.map((line) => line.trim()),
    );
  }
  return toConfig(result.data);
}

/** The names of all variables that have a value, whosever they are. */
export const readNames = (env: NodeJS.ProcessEnv = process.env): string[] =>
  Object.keys(env).filter((name) => env[name]);

/** What the variables of the environment mean to the server. */
function toConfig(env: Environment) {
  // Nobody lets everybody in by having forgotten something.
  const authMode = env.AUTH_MODE ?? (isLoopback(env.HOST) ? 'open' : undefined);
  return {
    port: env.PORT,
    host: env.HOST,
    /** Whether callers need an API key. Undefined where others can reach HOST and nobody said it: then nobody may listen. */
    authMode,
    /** Whose tokens authenticate, beside API keys. */
    authIssuers: readIssuers(env),
    /** Proxies whose `X-Forwarded-For` is trusted: so many, or these addresses. */
    trustProxy: env.TRUST_PROXY,
    rateLimits: readRateLimits(env, authMode),
    /** Host names that requests may be for, besides IP addresses and localhost; any with keys and without entries. */
    allowedHosts: env.ALLOWED_HOSTS,
    /** Origins of web pages that may call the API from a browser, or `*`. */
    corsOrigins: env.CORS_ORIGINS,
    /** Where people reach the server: the base of links. */
    publicUrl: env.PUBLIC_URL,
    /** How long a request may take to arrive. */
    requestTimeoutMs: env.REQUEST_TIMEOUT_SECONDS * 1000,
    connectionLimits: readConnectionLimits(env),
    streamLimits: readStreamLimits(env, authMode),
    dataDir: path.resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    role: env.ROLE,
    databasePools: {
      requests: env.DATABASE_REQUEST_CONNECTIONS,
      search: env.DATABASE_SEARCH_CONNECTIONS,
      background: env.DATABASE_BACKGROUND_CONNECTIONS,
      /** How long to wait for a free connection, or for a new one. */
      connectionTimeoutMs: env.DATABASE_CONNECTION_TIMEOUT_SECONDS * 1000,
      /** Of requests, for each statement. */
      statementTimeoutMs: env.DATABASE_STATEMENT_TIMEOUT_SECONDS * 1000,
      /** Likewise of background work. */
      backgroundStatementTimeoutMs: env.DATABASE_BACKGROUND_STATEMENT_TIMEOUT_SECONDS * 1000,
      /** Between two statements of a transaction. */
      idleTransactionTimeoutMs: env.DATABASE_IDLE_TRANSACTION_TIMEOUT_SECONDS * 1000,
    },
    /** Where uploaded files are stored; in `dataDir` if undefined. */
    storageUrl: env.STORAGE_URL,
    /** How long the server of a bucket may be silent. */
    storageTimeoutMs: env.STORAGE_TIMEOUT_SECONDS * 1000,
    /** Buckets that documents may name; all that the credentials can read if undefined. */
    sourceBuckets: env.SOURCE_BUCKETS,
    /** Another S3 server than Amazon's. */
    s3Endpoint: env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL,
    /** Private hosts that documents may be fetched from, and webhooks sent to. */
    fetchAllowHosts: env.FETCH_ALLOW_HOSTS,
    fetchTimeoutMs: env.FETCH_TIMEOUT_SECONDS * 1000,
    logLevels: env.LOG_LEVEL,
    shutdown: {
      /** From the signal on: what has not ended by then is cut off. */
      timeoutMs: (env.SHUTDOWN_DELAY_SECONDS + env.SHUTDOWN_TIMEOUT_SECONDS) * 1000,
      /** How long requests are still taken after `/readyz` has said that the server stops. */
      delayMs: env.SHUTDOWN_DELAY_SECONDS * 1000,
    },
    /** Where metrics are served without a key; with the API, for keys with the permission operations, if undefined. */
    metrics: readMetrics(env),
    defaultTenantUnit: { tenantId: env.DEFAULT_TENANT_ID, tenantUnitId: env.DEFAULT_TENANT_UNIT_ID },
    maxJsonBytes: env.MAX_JSON_BYTES,
    maxUploadBytes: env.MAX_UPLOAD_BYTES,
    maxPageSize: env.MAX_PAGE_SIZE,
    /** Without a message for so long, a conversation is idle. */
    conversationIdleMs: env.CONVERSATION_IDLE_MINUTES * 60_000,
    retention: {
      deliveriesMs: env.RETENTION_DELIVERIES_DAYS * DAY_MS,
      /** Forever if undefined. */
      auditMs: env.RETENTION_AUDIT_DAYS === undefined ? undefined : env.RETENTION_AUDIT_DAYS * DAY_MS,
      /** How often what has expired is looked for. */
      intervalMs: env.RETENTION_INTERVAL_MINUTES * 60_000,
    },
    /** Limits of each tenant, if any. */
    quotas: {
      documents: env.QUOTA_DOCUMENTS,
      chunks: env.QUOTA_CHUNKS,
      bytes: env.QUOTA_STORED_BYTES,
    },
    /** Documents processed at a time. */
    ingestConcurrency: env.INGEST_CONCURRENCY,
    ingestMemoryBytes: env.INGEST_MEMORY_MB * MIB,
    ingestTimeoutMs: env.INGEST_TIMEOUT_SECONDS * 1000,
    maxChunksPerDocument: env.MAX_CHUNKS_PER_DOCUMENT,
    chunking: {
      size: env.CHUNK_SIZE,
      overlap: env.CHUNK_OVERLAP,
      comments: env.CHUNK_COMMENTS === 'keep',
    },
    /** The search server; PostgreSQL searches if undefined. */
    meilisearch: readSearchServer(env),
    /** Where traces go; there are none if undefined. */
    tracing: readTracing(env),
    embedding: readEmbedding(env),
    reranking: readReranking(env),
    /** What reads scans and pictures; nothing does if undefined. */
    extraction: readExtraction(env),
    /** Of searches that do not say: by words and meaning where embeddings are configured, or by words alone. */
    searchMode: env.SEARCH_MODE,
    /** Whether PostgreSQL searches while the search server cannot. */
    searchFallback: env.SEARCH_FALLBACK === 'postgres',
  };
}

/** @throws ConfigError if callers need neither keys nor tokens */
function readIssuers({
  AUTH_ISSUERS: issuers,
  AUTH_MODE: mode,
  PUBLIC_URL: publicUrl,
}: Environment): readonly TokenIssuer[] {
  if (issuers.length > 0 && mode !== 'required')
    throw new ConfigError(
      'AUTH_ISSUERS needs AUTH_MODE=required: in open mode, nobody asks for tokens. Set that, or leave the issuers out.',
    );
  const clients = issuers.filter(({ signIn }) => signIn !== undefined);
  if (clients.length > 0 && publicUrl === undefined)
    throw new ConfigError(
      'An issuer in AUTH_ISSUERS has a clientId, so people sign in to the console by it, and the provider sends them back to PUBLIC_URL. Set that to the address by which people reach this server, such as https://lectern.example.',
    );
  if (new Set(clients.map(providerIdOf)).size < clients.length)
    throw new ConfigError(
      'Two issuers in AUTH_ISSUERS with a clientId have names that differ in punctuation alone: people cannot sign in to the console by both.',
    );
  return issuers;
}

function readSearchServer(env: Environment): SearchServerConfig | undefined {
  if (!env.MEILI_URL) return undefined;
  return {
    url: env.MEILI_URL,
    apiKey: env.MEILI_API_KEY,
    adminKey: env.MEILI_ADMIN_KEY,
    prefix: env.MEILI_INDEX_PREFIX,
    searchTimeoutMs: env.MEILI_SEARCH_TIMEOUT_MS,
    propertyNames: env.MEILI_PROPERTIES,
    publicUrl: env.MEILI_PUBLIC_URL,
    tokenKey: env.MEILI_TOKEN_KEY,
  };
}

function readMetrics({ HOST, PORT, METRICS_PORT: port, METRICS_HOST: host = HOST }: Environment) {
  if (port === undefined) return undefined;
  if (port !== 0 && port === PORT && host === HOST)
    throw new ConfigError(
      `METRICS_PORT is ${port}, which is PORT, too: give the metrics a port of their own.`,
    );
  return { port, host };
}

/** The endpoint that embeds texts; searches go by words alone if undefined. */
function readEmbedding(env: Environment) {
  const { EMBEDDING_MODEL: model, EMBEDDING_URL: url, EMBEDDING_API_KEY: apiKey } = env;
  const { EMBEDDING_PREVIOUS_API_KEY: previousApiKey } = env;
  if (model === undefined) {
    if ([url, apiKey, previousApiKey].every((value) => value === undefined)) return undefined;
    throw new ConfigError(
      'Set EMBEDDING_MODEL to the model that embeds texts, or leave the others out, too.',
    );
  }
  return {
    endpoint: { url: url ?? HOSTED_EMBEDDINGS, apiKey, model, dimensions: env.EMBEDDING_DIMENSIONS },
    /** For the endpoint of another origin that the live model is of, until the configured one takes its place. */
    previousApiKey,
    ...readPrefixes(model, env),
    batchSize: env.EMBEDDING_BATCH_SIZE,
    concurrency: env.EMBEDDING_CONCURRENCY,
    requestsPerMinute: env.EMBEDDING_REQUESTS_PER_MINUTE,
    tokensPerMinute: env.EMBEDDING_TOKENS_PER_MINUTE,
    tokenQuota: env.QUOTA_EMBEDDED_TOKENS,
    searchTimeoutMs: env.EMBEDDING_SEARCH_TIMEOUT_MS,
    cacheBytes: env.EMBEDDING_CACHE_MIB * MIB,
  };
}

/** Those that are configured, or else those of the model's family. */
function readPrefixes(model: string, env: Environment) {
  const known = findKnownPrefixes(model);
  return {
    queryPrefix: env.EMBEDDING_QUERY_PREFIX ?? known?.query ?? '',
    passagePrefix: env.EMBEDDING_PASSAGE_PREFIX ?? known?.passage ?? '',
    keepsUnprefixed: env.EMBEDDING_PASSAGE_PREFIX === undefined,
  };
}

const HOSTED_EMBEDDINGS = 'https://api.openai.com/v1';

/** The endpoint that reranks what searches find; none does if undefined. */
function readReranking(env: Environment) {
  const { RERANK_URL: url, RERANK_MODEL: model, RERANK_API_KEY: apiKey } = env;
  if (url === undefined) {
    if (model === undefined && apiKey === undefined) return undefined;
    throw new ConfigError('Set RERANK_URL to the endpoint that reranks, or leave the others out, too.');
  }
  return { endpoint: { url, apiKey, model }, timeoutMs: env.RERANK_TIMEOUT_MS };
}

/**
 * For whoever is about to listen; commands that do not may run before anybody has decided.
 *
 * @throws ConfigError where others could call and nobody said whether they need a key
 */
export function assertAuthModeSet({ host, authMode }: Pick<Config, 'host' | 'authMode'>): void {
  if (authMode !== undefined || isLoopback(host)) return;
  throw new ConfigError(
    `HOST is ${host}, which others can reach, and AUTH_MODE does not say whether they need an API key.
  AUTH_MODE=required  lets in who has one; make the first with: lectern keys create --tenant <tenant> --name <name> --admin
  AUTH_MODE=open      lets everybody read, change and delete everything`,
  );
}

/**
 * For whoever is about to serve.
 *
 * @throws ConfigError where the role needs a database that other processes share
 */
export function assertRoleServable({ role, databaseUrl }: Pick<Config, 'role' | 'databaseUrl'>): void {
  if (role === 'all' || databaseUrl) return;
  throw new ConfigError(
    `ROLE is ${role}, and the embedded database serves only ROLE=all: set DATABASE_URL to a PostgreSQL server that all processes share.`,
  );
}
