import { z } from 'zod';

/** Far beyond the text of any document. */
const MAX_OFFSET = 1_000_000_000;

const offset = z.int().min(0).max(MAX_OFFSET);

/** Characters of a document's text that are asked for, as `span` of a citation counts them; `end` is exclusive. */
export const textSpan = z
  .object({ start: offset, end: offset })
  .refine(({ start, end }) => start < end, { path: ['end'], error: 'must be greater than start' });
export type TextSpan = z.output<typeof textSpan>;
