import { TRPCError } from '@trpc/server';
import type { ErrorDetail } from '../errors/error-body.js';
import { errorDetailsOf, toTrpcError } from '../routers/index.js';

/** Names of arguments, where the procedures' inputs have others. */
const ARGUMENTS: Record<string, string> = {
  'scope.tenantUnitId': 'unit',
  datasetIds: 'datasets',
  documentContent: 'text',
  documentId: 'id',
  documentIds: 'id',
  documentName: 'name',
  pageSize: 'limit',
  topK: 'limit',
};

const ADVICE: Record<string, string> = {
  not_found: 'Take ids from the answers of other tools.',
  too_many_requests: 'Wait a few seconds before the next call.',
};

/** What a failed call of a tool answers: a message for whoever called it. `isInternal` is no fault of the caller. */
export function describeFailure(thrown: unknown): { message: string; isInternal: boolean } {
  const error = thrown instanceof TRPCError ? thrown : toTrpcError(thrown);
  const details = errorDetailsOf(error);
  const advice = ADVICE[details[0]?.type ?? ''];
  return {
    message: [...details.map(describe), ...(advice ? [advice] : [])].join('\n'),
    isInternal: error.code === 'INTERNAL_SERVER_ERROR',
  };
}

function describe({ type, loc, msg }: ErrorDetail): string {
  if (loc.length === 0 || !/^(value_error|missing)/.test(type)) return msg;
  const index = loc.findIndex((part) => typeof part === 'number');
  const end = index === -1 ? loc.length : index;
  const field = loc.slice(0, end).join('.');
  return `${[ARGUMENTS[field] ?? field, ...loc.slice(end)].join('.')}: ${msg}`;
}
