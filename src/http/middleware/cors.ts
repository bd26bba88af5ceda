import cors from 'cors';
import type { RequestHandler } from 'express';

const PREFLIGHT_SECONDS = 600;

/** CORS for these origins; `*` allows all. Credentials are never allowed: sessions are for the server's own pages. */
export const corsMiddleware = (origins: string[]): RequestHandler =>
  cors({
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'MCP-Protocol-Version',
      'Mcp-Method',
      'Mcp-Name',
      'Prefer',
      'X-Api-Key',
      'X-Request-Id',
      'X-Tenant-Id',
      'X-User-Id',
    ],
    exposedHeaders: [
      'ETag',
      'Idempotency-Replayed',
      'Preference-Applied',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'WWW-Authenticate',
      'X-Request-Id',
      'X-Search-Engine',
      'X-Search-Mode',
      'X-Search-Reranked',
      'X-Search-Truncated',
    ],
    maxAge: PREFLIGHT_SECONDS,
  });
