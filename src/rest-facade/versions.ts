import { z } from 'zod';
import { requestError } from './errors.js';

/** The headers of an endpoint that gives one record, or changes it. */
export const etag = z.object({
  ETag: z
    .string()
    .describe('The version of the record')
    .meta({ examples: ['"3"'] }),
});
export const ifMatch = z.object({
  'If-Match': z
    .string()
    .optional()
    .describe('The version that the change is meant for, as `ETag` told it; another one is answered with 412')
    .meta({ examples: ['"3"'] }),
});

export const toETag = (version: number) => `"${version}"`;

const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Reads an `If-Match` header (RFC 9110, 13.1.1).
 *
 * @returns the versions that the caller means; none where its tags are none of ours; undefined where any will do
 * @throws what answers 422 where it is no list of entity tags
 */
export function readIfMatch(header: string | undefined): number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return header.split(',').flatMap((one) => {
    const [matched, weak, tag = ''] = one.trim().match(TAG) ?? [];
    if (matched === undefined) {
      throw requestError('header.invalid', 'must be * or entity tags in double quotes, such as "3"', [
        'header',
        'If-Match',
      ]);
    }
    // Weak tags match nothing here; they are for what looks alike.
    return !weak && /^\d{1,15}$/.test(tag) ? [Number(tag)] : [];
  });
}
