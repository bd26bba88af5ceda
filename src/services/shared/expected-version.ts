import { z } from 'zod';
import { preconditionFailed } from '../../errors/errors.js';
import { valueOrArray } from './fields.schema.js';

export const MAX_VERSIONS = 100;

/** Expected version(s); the write fails if the current version differs (optimistic locking). */
export const expectedVersion = valueOrArray(z.int(), MAX_VERSIONS).optional();
export type ExpectedVersion = z.output<typeof expectedVersion>;

/** @throws DomainError `precondition_failed` if the record has changed */
export function assertExpectedVersion(version: number, expected: ExpectedVersion): void {
  if (expected === undefined || [expected].flat().includes(version)) return;
  throw preconditionFailed('This has changed since you read it; fetch it again and repeat your change.');
}
