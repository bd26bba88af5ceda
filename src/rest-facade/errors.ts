import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { ErrorDetail } from '../errors/error-body.js';
import { DomainError } from '../errors/errors.js';
import { errorDetailsOf, httpStatusOf, toTrpcError } from '../routers/index.js';
import { locateHeader, RestError } from './error-locations.js';
import { describeRequestError } from './request-errors.js';
import { valueAt } from './request-parts.js';

/** Status and details of an error. */
export function toRestError(error: unknown, input: object): { status: number; detail: ErrorDetail[] } {
  if (error instanceof RestError) return { status: statusOf(error.original), detail: error.detail };
  // Middleware throws domain errors.
  if (error instanceof DomainError) return toRestError(toTrpcError(error), input);
  if (error instanceof TRPCError) {
    const detail = errorDetailsOf(error).map((one) =>
      valueAt(input, one.loc) === undefined && error.code === 'BAD_REQUEST'
        ? { type: 'missing', loc: one.loc, msg: 'Field required' }
        : { ...one, loc: locateHeader(one.loc) ?? one.loc },
    );
    return { status: statusOf(error), detail };
  }
  return describeRequestError(error);
}

/** Invalid input is 422, whether found by zod or by the domain. */
function statusOf(error: TRPCError): number {
  const isInput = error.code === 'BAD_REQUEST' && error.cause instanceof z.core.$ZodError;
  return isInput ? 422 : httpStatusOf(error);
}
