import { z } from 'zod';
import { nullableText } from '../shared/fields.schema.js';
import { textSpan } from '../shared/text-span.schema.js';
import { documentRef } from './documents.schema.js';

export const MAX_PAGES = 20;
/** Far beyond what a document may have. */
const MAX_NUMBER = 10_000_000;
const MAX_OFFSET = Number.MAX_SAFE_INTEGER;
export const MAX_SOURCE_BYTES = 2 ** 20;

export const sourceTextRequest = documentRef.extend({
  /** The first page that is wanted, from 1. */
  page: z.int().min(1).max(MAX_NUMBER).default(1),
  pages: z.int().min(1).max(MAX_PAGES).default(1),
  /** Asks for the page on which the chunk with this ordinal begins, and those after it, in place of `page`. */
  around: z.int().min(0).max(MAX_NUMBER).optional(),
  /** Asks for the pages that have these characters, at most 20, in place of `page` and `pages`. */
  span: textSpan.optional(),
});
export type SourceTextRequest = z.output<typeof sourceTextRequest>;

export const noSourceText = z.enum(['not_kept', 'being_read', 'too_large', 'unreadable']);

const chunkPlace = z.object({
  /** Null where the chunk is deleted, or not the one that would be made of this text today. */
  chunkId: nullableText,
  ordinal: z.int(),
  /** In the text of the page, `end` exclusive. A chunk that goes beyond the page is cut. */
  start: z.int(),
  end: z.int(),
});

const sourcePage = z.object({
  /** Its place among all, from 1. */
  page: z.int(),
  /** Of the page in the source, from 1. Several pages have the same number where one is long. */
  number: z.int(),
  /** Where it begins in all of the text, in which the `span` of a citation counts. */
  start: z.int(),
  text: z.string(),
  chunks: z.array(chunkPlace),
});

export const sourceText = z.object({
  /**
   * Why there is no text: `not_kept` for web pages and files in buckets, of which only the chunks are
   * stored; `being_read` for a large file: ask again in a moment.
   */
  unavailable: noSourceText.nullable(),
  subType: nullableText,
  pageCount: z.int(),
  pages: z.array(sourcePage),
});
export type SourceText = z.output<typeof sourceText>;

export const sourceRange = documentRef.extend({
  offset: z.int().min(0).max(MAX_OFFSET),
  length: z.int().min(1).max(MAX_SOURCE_BYTES),
});
export type SourceRange = z.output<typeof sourceRange>;

export const sourceBytes = z.object({
  fileName: nullableText,
  mediaType: nullableText,
  /** Of the whole file. */
  sizeBytes: z.int(),
  /** Fewer than were asked for where the file ends. */
  base64: z.string(),
});
export type SourceBytes = z.output<typeof sourceBytes>;
