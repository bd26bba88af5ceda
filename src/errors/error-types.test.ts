import { expect, it } from 'vitest';
import { httpStatusOf, toTrpcError } from '../routers/index.js';
import { errorTypes } from './error-types.js';
import { DomainError, type ErrorCode } from './errors.js';

const codes: Record<ErrorCode, true> = {
  unauthorized: true,
  forbidden: true,
  misdirected: true,
  not_found: true,
  conflict: true,
  precondition_failed: true,
  invalid: true,
  too_large: true,
  too_many_requests: true,
  unavailable: true,
};

it.each(Object.keys(codes) as ErrorCode[])('%s has the status that is documented', (code) => {
  expect(errorTypes[code].statuses).toContain(httpStatusOf(toTrpcError(new DomainError(code, ''))));
});
