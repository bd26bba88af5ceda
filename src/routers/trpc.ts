import { initTRPC, TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { KeyAccess } from '../auth/permissions.js';
import { DomainError, type ErrorCode, invalid, isDataException, isOutage, unavailable } from '../errors.js';
import type { ApiKeys } from '../services/api-keys/api-keys.js';
import type { Audit } from '../services/audit/audit.js';
import type { Chunks } from '../services/chunks/chunks.js';
import type { Conversations } from '../services/conversations/conversations.js';
import type { Messages } from '../services/conversations/messages.js';
import type { Documents } from '../services/documents/documents.js';
import type { Files } from '../services/files/files.js';
import type { Search } from '../services/search/search.js';
import type { SearchAdmin } from '../services/search/search-admin.js';
import type { SearchableWaits } from '../services/search/wait-until-searchable.js';
import type { Actor } from '../services/shared/actor.js';
import type { Webhooks } from '../services/webhooks/webhooks.js';
import type { ErrorDetail, ErrorShape } from './error-shape.js';
import type { Meta } from './meta.js';

export interface Services {
  conversations: Conversations;
  messages: Messages;
  documents: Documents;
  chunks: Chunks;
  search: Search;
  searchableWaits: SearchableWaits;
  searchAdmin: SearchAdmin;
  files: Files;
  apiKeys: ApiKeys;
  audit: Audit;
  webhooks: Webhooks;
}

export interface Context {
  services: Services;
  actor: Actor;
  /** What the caller's key lets it do; everything where absent, which is so in open mode. */
  access?: KeyAccess | undefined;
  /** Writes with the same one are done once. */
  idempotencyKey?: string | undefined;
  /** Whoever uploads a file here claims or discards it in the same request. */
  claimsUploadsInRequest?: boolean;
  /** Tells something beside the answer, where it goes out over HTTP. Calls that are answered together add up. */
  addResponseHeader?: (name: string, value: string) => void;
}

/** Nobody reads more. */
const MAX_DETAILS = 100;

/** Keeps idle streams open through proxies, and lets clients tell a quiet stream from a dead one. */
const PING_MS = 15_000;

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    sse: {
      ping: { enabled: true, intervalMs: PING_MS },
      client: { reconnectAfterInactivityMs: 3 * PING_MS },
    },
    errorFormatter: ({ shape, error }): ErrorShape => ({
      ...shape,
      message: errorDetailsOf(error)[0]?.msg ?? shape.message,
      data: {
        code: shape.data.code,
        httpStatus: shape.data.httpStatus,
        path: shape.data.path,
        detail: errorDetailsOf(error),
      },
    }),
  });

const CODES: Record<ErrorCode, TRPCError['code']> = {
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  precondition_failed: 'PRECONDITION_FAILED',
  invalid: 'UNPROCESSABLE_CONTENT',
  too_large: 'PAYLOAD_TOO_LARGE',
  too_many_requests: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
};

/** Gives bad input, domain errors and outages their tRPC codes; what nobody foresaw stays what it is. */
const translateErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  const known = isBadInput(result.error)
    ? new TRPCError({ code: CODES.invalid, cause: result.error.cause })
    : translate(result.error.cause);
  if (known) throw known;
  return result;
});

/** An output that does not fit its schema has a ZodError too, but is nobody's input. */
const isBadInput = ({ code, cause }: TRPCError): boolean =>
  code !== 'INTERNAL_SERVER_ERROR' && cause instanceof z.core.$ZodError;

/** What is thrown outside of procedures, in the same words; what nobody foresaw is an internal error. */
export const toTrpcError = (error: unknown): TRPCError =>
  translate(error) ?? new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error });

function translate(error: unknown): TRPCError | undefined {
  const known = error instanceof DomainError ? error : fromDatabase(error);
  return known && new TRPCError({ code: CODES[known.code], message: known.message, cause: known });
}

function fromDatabase(error: unknown): DomainError | undefined {
  if (isOutage(error)) return unavailable('The service is away for a moment; try again.', error);
  if (isDataException(error)) return invalid('The request holds a value that cannot be stored.', []);
  return undefined;
}

/** What is wrong, in the names of the procedure's input. */
export function errorDetailsOf(error: TRPCError): ErrorDetail[] {
  const { cause } = error;
  if (cause instanceof DomainError) return [{ type: cause.type, loc: [...cause.path], msg: cause.message }];
  if (isBadInput(error)) {
    return (cause as z.core.$ZodError).issues.slice(0, MAX_DETAILS).map((issue) => ({
      type: `value_error.${issue.code}`,
      loc: issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
      msg: issue.message,
    }));
  }
  const isInternal = error.code === 'INTERNAL_SERVER_ERROR';
  return [
    { type: error.code.toLowerCase(), loc: [], msg: isInternal ? 'Internal server error.' : error.message },
  ];
}

export const { router, createCallerFactory } = t;
export const baseProcedure = t.procedure.use(translateErrors);
