import { z } from 'zod';
import { nullableText } from '../shared/fields.schema.js';

const range = z.object({ first: z.int(), last: z.int() });

/** Where a chunk is from. What depends on how its document was processed is absent where an earlier version did that. */
export const citation = z.object({
  /** Of the document, as it was given. */
  title: nullableText,
  url: nullableText,
  /** Of the file that was read, such as `application/pdf`. */
  mediaType: z.string(),
  /** When the chunks of the document were made. */
  processedTime: z.date().optional(),
  /** The place of the chunk among those of the document, from 0. */
  ordinal: z.int(),
  /** Of the chunk; grows with every change. */
  version: z.int(),
  /** SHA-256 of the text as it was split off, in base64url. */
  sourceHash: z.string(),
  /** Whether the text is no longer the one that was split off, which `span` and `sourceHash` are of. */
  edited: z.boolean(),
  /**
   * Where the text begins and ends in the document's source, `end` exclusive, in UTF-16 units. It counts in the text of
   * `documents.sourceText`: the texts of its pages, each from its `start` on, and line feeds between them.
   */
  span: z.object({ start: z.int(), end: z.int() }).optional(),
  /** The headings of the section, outermost first. */
  headings: z.array(z.string()).optional(),
  /** Of a PDF or a TIFF: the pages, from 1. */
  pages: range.optional(),
  /** Of a presentation: the number of the slide, from 1. */
  slide: z.int().optional(),
  /** The extraction engine that read a part of it, such as `tesseract`: there may be mistakes of text recognition. */
  extractedBy: z.string().optional(),
  /** Of a workbook: the name of the sheet. */
  sheet: z.string().optional(),
  /** Of a sheet or a CSV file: the rows, from 1, as programs that show tables number them. */
  rows: range.optional(),
});
export type Citation = z.output<typeof citation>;
