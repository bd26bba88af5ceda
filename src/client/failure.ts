import { isTRPCClientError } from '@trpc/client';
import type { ErrorDetail } from '../errors/error-body.js';
import type { AppRouter } from '../routers/app-router.js';

/** Why a call failed. */
export interface Failure {
  /** The HTTP status; undefined where the server did not answer. */
  status: number | undefined;
  /** What is wrong, and where in the input; empty where the server did not answer. */
  detail: ErrorDetail[];
  /** To be quoted in a report of a problem. */
  requestId: string | undefined;
}

/** Reads an error of the client. */
export function readFailure(error: unknown): Failure {
  if (!isTRPCClientError<AppRouter>(error)) return { status: undefined, detail: [], requestId: undefined };
  const { data, meta } = error;
  const response = meta?.response instanceof Response ? meta.response : undefined;
  return {
    status: data?.httpStatus ?? response?.status,
    detail: data?.detail ?? [],
    requestId: response?.headers.get('X-Request-Id') ?? undefined,
  };
}
