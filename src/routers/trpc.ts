import { initTRPC, TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { z } from 'zod';
import type { CallsUnderWay } from '../async/calls-under-way.js';
import { credentialName, type KeyAccess } from '../auth/permissions.js';
import type { ErrorDetail } from '../errors/error-body.js';
import type { IssueType } from '../errors/error-types.js';
import {
  DomainError,
  type ErrorCode,
  forbidden,
  invalid,
  isCancelledStatement,
  isDataException,
  isOutage,
  isPoolExhausted,
  unavailable,
} from '../errors/errors.js';
import type { ApiKeys } from '../services/api-keys/api-keys.js';
import type { Audit } from '../services/audit/audit.js';
import type { Chunks } from '../services/chunks/chunks.js';
import type { Conversations } from '../services/conversations/conversations.js';
import type { Messages } from '../services/conversations/messages.js';
import type { Transfers } from '../services/conversations/transfer/transfers.js';
import type { Datasets } from '../services/datasets/datasets.js';
import type { Documents } from '../services/documents/documents.js';
import type { Evaluations } from '../services/evaluations/evaluations.js';
import type { EvaluationRuns } from '../services/evaluations/run-collection.js';
import type { Files } from '../services/files/files.js';
import type { Labels } from '../services/labels/labels.js';
import type { Members } from '../services/members/members.js';
import type { OverviewService } from '../services/overview/overview.js';
import type { LimitsInUse } from '../services/overview/overview.schema.js';
import type { Reach } from '../services/reach/reach.js';
import type { Retention } from '../services/retention/retention.js';
import type { ExplainedSearches } from '../services/search/explained-search.js';
import type { Search } from '../services/search/search.js';
import type { SearchAdmin } from '../services/search/search-admin.js';
import type { Suggest } from '../services/search/suggest.js';
import type { SearchableWaits } from '../services/search/wait-until-searchable.js';
import type { Sessions } from '../services/sessions/sessions.js';
import type { Actor } from '../services/shared/actor.js';
import type { SynonymLists } from '../services/synonyms/synonyms.js';
import type { UserErasures } from '../services/users/erasures.js';
import type { Webhooks } from '../services/webhooks/webhooks.js';
import { inSpan } from '../tracing/spans.js';
import type { Batch } from './batch.js';
import type { Meta } from './meta.js';
import type { ErrorShape } from './trpc-error-shape.js';

export interface Services {
  conversations: Conversations;
  messages: Messages;
  transfers: Transfers;
  datasets: Datasets;
  documents: Documents;
  chunks: Chunks;
  search: Search;
  suggest: Suggest;
  searchableWaits: SearchableWaits;
  searchAdmin: SearchAdmin;
  explainedSearches: ExplainedSearches;
  evaluations: Evaluations;
  evaluationRuns: EvaluationRuns;
  synonyms: SynonymLists;
  labels: Labels;
  files: Files;
  apiKeys: ApiKeys;
  sessions: Sessions;
  reach: Reach;
  overview: OverviewService;
  audit: Audit;
  webhooks: Webhooks;
  retention: Retention;
  userErasures: UserErasures;
  members: Members;
}

interface SessionCookie {
  set(token: string): void;
  clear(): void;
  /** Lets this request go on although its session ends; others are aborted. */
  outlive(): void;
}

export interface Context {
  services: Services;
  actor: Actor;
  /** Access of the API key or token; undefined (everything) in open mode. */
  access?: KeyAccess | undefined;
  /** Idempotency-Key header. */
  idempotencyKey?: string | undefined;
  /** Uploads are claimed or discarded within the same request. */
  claimsUploadsInRequest?: boolean;
  /** The cookie of a session, where the response can still set one. */
  sessionCookie?: SessionCookie | undefined;
  /** What the caller's rate limits and streams leave, of a request over HTTP. */
  readLimits?: () => Promise<LimitsInUse>;
  /** Where the request makes several calls. */
  batch?: Batch | undefined;
  /** What a server that stops waits for. */
  callsUnderWay?: CallsUnderWay;
  /** Adds a response header; values of batched calls are combined. */
  addResponseHeader?: (name: string, value: string) => void;
}

/** Most details in an error. */
const MAX_DETAILS = 100;
/** Of an unknown field, in an error. */
const MAX_NAME_LENGTH = 255;

/** Keep-alive interval of streams, through proxies and for dead-connection detection. */
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
        httpStatus: httpStatusOf(error),
        path: shape.data.path,
        detail: errorDetailsOf(error),
      },
    }),
  });

const CODES: Record<ErrorCode, TRPCError['code']> = {
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  // tRPC has no code for 421.
  misdirected: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  conflict: 'CONFLICT',
  precondition_failed: 'PRECONDITION_FAILED',
  invalid: 'UNPROCESSABLE_CONTENT',
  too_large: 'PAYLOAD_TOO_LARGE',
  too_many_requests: 'TOO_MANY_REQUESTS',
  unavailable: 'SERVICE_UNAVAILABLE',
};

interface MiddlewareCall<R> {
  ctx: Context;
  meta: Meta | undefined;
  type: 'query' | 'mutation' | 'subscription';
  signal: AbortSignal | undefined;
  next: () => Promise<R>;
}
type Result = { ok: true; data: unknown } | { ok: false; error: TRPCError };

/**
 * What is done around each call of a procedure: it is counted, traced, permitted, and bounded by its batch, and its errors
 * are translated. One middleware, since tRPC copies the context for each.
 */
const runProcedure = t.middleware(async (call) => {
  const { callsUnderWay } = call.ctx;
  const trace = () => traceCall(call.path, () => checkAndTranslate(call));
  const outcome = await (callsUnderWay ? callsUnderWay.run(trace) : trace());
  if (outcome instanceof TRPCError) throw outcome;
  return outcome;
});

/** A span for each call of a procedure; what callers did wrong is no failure of it. */
const traceCall = <R extends Result>(path: string, work: () => Promise<R | TRPCError>) =>
  inSpan(path, {}, async (span) => {
    const outcome = await work();
    const error = outcome instanceof TRPCError ? outcome : !outcome.ok ? outcome.error : undefined;
    if (span && error) {
      span.set({ 'error.type': error.code });
      if (getHTTPStatusCodeFromError(error) >= 500) span.fail(error.code);
    }
    return outcome;
  });

/** Checks the permission before all else, and maps validation errors, domain errors and outages to tRPC codes. */
async function checkAndTranslate<R extends Result>(call: MiddlewareCall<R>): Promise<R | TRPCError> {
  const denial = denialOf(call.ctx, call.meta);
  if (denial) return toTrpcError(denial);
  try {
    const result = await limitByBatch(call);
    if (result.ok) return result;
    const { error } = result;
    const known = isBadInput(error)
      ? new TRPCError({ code: CODES.invalid, cause: error.cause })
      : translate(error.cause);
    return known ?? result;
  } catch (error) {
    return toTrpcError(error);
  }
}

/**
 * Calls of a batch share its limits. What was written is told, however large.
 *
 * @throws DomainError where the answers of the batch are too large
 */
async function limitByBatch<R extends Result>({ ctx: { batch }, type, signal, next }: MiddlewareCall<R>) {
  if (!batch || type === 'subscription') return next();
  return batch.run(async () => {
    if (type === 'query') batch.assertRoom();
    const result = await next();
    if (result.ok && type === 'query') batch.count(result.data);
    return result;
  }, signal);
}

/** What a caller is told who may not call a procedure; undefined for others. */
export function denialOf(
  { access }: Pick<Context, 'access'>,
  { permissions = [], isForAnyKey = false }: Meta = {},
): DomainError | undefined {
  if (!access || isForAnyKey || permissions.some((permission) => access.permissions.includes(permission)))
    return undefined;
  return forbidden(
    `${credentialName(access)} may not do this: it lacks the scope ${permissions.join(' or ')}.`,
  );
}

/** Output validation also throws a ZodError, which is an internal error. */
const isBadInput = ({ code, cause }: TRPCError): boolean =>
  code !== 'INTERNAL_SERVER_ERROR' && cause instanceof z.core.$ZodError;

/** The status of an error over HTTP. */
export const httpStatusOf = (error: TRPCError): number =>
  error.cause instanceof DomainError && error.cause.code === 'misdirected'
    ? 421
    : getHTTPStatusCodeFromError(error);

/** Maps errors thrown outside procedures; unknown ones are internal errors. */
export const toTrpcError = (error: unknown): TRPCError =>
  translate(error) ?? new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error });

function translate(error: unknown): TRPCError | undefined {
  const known = error instanceof DomainError ? error : fromDatabase(error);
  return known && new TRPCError({ code: CODES[known.code], message: known.message, cause: known });
}

const TOO_SLOW =
  'The database did not answer in time, and nothing was changed; try again later, or ask for less at once.';
const NO_CONNECTION = 'All connections to the database are in use; try again in a moment.';

function fromDatabase(error: unknown): DomainError | undefined {
  if (isCancelledStatement(error)) return unavailable(TOO_SLOW, error);
  if (isPoolExhausted(error)) return unavailable(NO_CONNECTION, error);
  if (isOutage(error)) return unavailable('The service is unavailable at the moment; try again.', error);
  if (isDataException(error)) return invalid('The request contains a value that cannot be stored.', []);
  return undefined;
}

/** Error details, with paths into the procedure's input. */
export function errorDetailsOf(error: TRPCError): ErrorDetail[] {
  const { cause } = error;
  if (cause instanceof DomainError) return [{ type: cause.type, loc: [...cause.path], msg: cause.message }];
  if (isBadInput(error)) {
    return (cause as z.core.$ZodError).issues
      .slice(0, MAX_DETAILS)
      .flatMap(detailsOfIssue)
      .slice(0, MAX_DETAILS);
  }
  const isInternal = error.code === 'INTERNAL_SERVER_ERROR';
  return [
    { type: error.code.toLowerCase(), loc: [], msg: isInternal ? 'Internal server error.' : error.message },
  ];
}

/** An issue of a strict object names all unknown fields together. */
function detailsOfIssue(issue: z.core.$ZodIssue): ErrorDetail[] {
  const type: IssueType = `value_error.${issue.code}`;
  const loc = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code !== 'unrecognized_keys') return [{ type, loc, msg: issue.message }];
  return issue.keys
    .slice(0, MAX_DETAILS)
    .map((key) => ({ type, loc: [...loc, key.slice(0, MAX_NAME_LENGTH)], msg: 'Unknown field.' }));
}

export const { router } = t;
export const baseProcedure = t.procedure.use(runProcedure);
