import cors from 'cors';
import type { RequestHandler } from 'express';

const PREFLIGHT_SECONDS = 600;

/** Lets web pages of these origins call the API. `*` are all of them. Cookies are never used, so never allowed. */
export const corsMiddleware = (origins: string[]): RequestHandler =>
  cors({
    origin: origins.includes('*') ? '*' : origins,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'Prefer',
      'X-Api-Key',
      'X-Request-Id',
      'X-User-Id',
    ],
    exposedHeaders: [
      'ETag',
      'Idempotency-Replayed',
      'Preference-Applied',
      'RateLimit',
      'RateLimit-Policy',
      'Retry-After',
      'X-Request-Id',
      'X-Search-Engine',
    ],
    maxAge: PREFLIGHT_SECONDS,
  });
