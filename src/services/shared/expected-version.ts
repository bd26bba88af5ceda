import { z } from 'zod';
import { preconditionFailed } from '../../errors.js';
import { valueOrArray } from './fields.schema.js';

export const MAX_VERSIONS = 100;

/** The version that a caller has seen, or several; the write is refused when it is another one by now. */
export const expectedVersion = valueOrArray(z.int(), MAX_VERSIONS).optional();
export type ExpectedVersion = z.output<typeof expectedVersion>;

/** @throws DomainError `precondition_failed` when somebody was faster than the caller */
export function assertExpectedVersion(version: number, expected: ExpectedVersion): void {
  if (expected === undefined || [expected].flat().includes(version)) return;
  throw preconditionFailed('This has changed since you read it; fetch it again and repeat your change.');
}
