import { z } from 'zod';
import { MAX_VERSIONS } from '../routers/index.js';
import { requestError } from './request-errors.js';

/** Headers of endpoints with versions. */
export const etagHeader = z.object({
  ETag: z
    .string()
    .describe('The version of the record')
    .meta({ examples: ['"3"'] }),
});
const MAX_LENGTH = 4_000;
/** `*`, or up to 100 entity tags. */
const IF_MATCH = /^(\*|(W\/)?"[!#-+.-~-]*"(, ?(W\/)?"[!#-+.-~-]*"){0,99})$/;
export const ifMatchHeader = z.object({
  'If-Match': z
    .string()
    .max(MAX_LENGTH)
    .regex(IF_MATCH)
    .optional()
    .describe('The `ETag` of the version to change. If the record has another version, the status is 412')
    .meta({ examples: ['"3"'] }),
});

export const formatETag = (version: number) => `"${version}"`;

const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/**
 * Reads an `If-Match` header (RFC 9110, 13.1.1).
 *
 * @returns the versions; empty if no tag is ours; undefined for `*` or no header
 * @throws a request error (422) if it is no list of entity tags
 */
export function parseIfMatch(header: string | undefined): number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (header.length > MAX_LENGTH) throw invalid(`must be at most ${MAX_LENGTH} characters long`);
  const tags = header.split(',', MAX_VERSIONS + 1);
  if (tags.length > MAX_VERSIONS) throw invalid(`must hold at most ${MAX_VERSIONS} entity tags`);
  return tags.flatMap((one) => {
    const [matched, weak, tag = ''] = one.trim().match(TAG) ?? [];
    if (matched === undefined) {
      throw invalid('must be * or entity tags in double quotes, such as "3"');
    }
    // If-Match requires strong comparison; weak tags never match.
    return !weak && /^\d{1,15}$/.test(tag) ? [Number(tag)] : [];
  });
}

const invalid = (message: string) => requestError('header.invalid', message, ['header', 'If-Match']);
