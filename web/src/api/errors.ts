import { TRPCClientError } from '@trpc/client';
import type { AppRouter } from 'lectern/routers';

/** What went wrong with a call: the sentences of the server, or that there was no answer. */
export interface CallFailure {
  /** Undefined where nothing was answered. */
  status: number | undefined;
  sentences: string[];
}

/** Reads an error of the client. */
export function readFailure(error: unknown): CallFailure {
  if (!(error instanceof TRPCClientError)) return { status: undefined, sentences: [String(error)] };
  const { data, message } = error as TRPCClientError<AppRouter>;
  if (!data) return { status: undefined, sentences: [] };
  const sentences = data.detail?.map(({ loc, msg }) => (loc.length > 0 ? `${loc.join('.')}: ${msg}` : msg));
  return { status: data.httpStatus, sentences: sentences ?? [message] };
}

/** What the server says of one part of the input; undefined where its error is about others. */
export function readFault(error: unknown, part: string): string | undefined {
  if (!(error instanceof TRPCClientError)) return undefined;
  const { data } = error as TRPCClientError<AppRouter>;
  const faults = data?.detail?.filter(({ loc }) => loc[0] === part) ?? [];
  if (faults.length === 0 || faults.length < (data?.detail?.length ?? 0)) return undefined;
  return faults.map(({ loc, msg }) => [loc.slice(1).join('.'), msg].filter(Boolean).join(': ')).join('; ');
}

/** Whether the same call may succeed in a moment. */
export function isWorthRetrying(error: unknown): boolean {
  const { status } = readFailure(error);
  return status === undefined || status === 429 || status >= 500;
}
