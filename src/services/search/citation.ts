import { z } from 'zod';
import type { Citation } from './citation.schema.js';

/** What a citation is made of, as a hit's row has it. */
export interface CitedRow {
  title: string | null;
  url: string | null;
  sniffedSubType: string | null;
  processedTime: Date | null;
  ordinal: number;
  revision: number;
  sourceHash: string;
  edited: boolean;
  metadata: unknown;
}

/** Formats whose pages a reader can turn to. */
const PAGED = new Set(['pdf', 'tiff']);
/** Whatever reads foreign files makes it, so nothing is taken for granted. */
const absent = undefined;
const number = z.int().min(0).optional().catch(absent);
const citedMetadata = z
  .object({
    filetype: z.string().catch(''),
    page_number: number,
    last_page_number: number,
    char_start: number,
    char_end: number,
    headings: z.array(z.string()).optional().catch(absent),
    sheet: z.string().optional().catch(absent),
    extracted_by: z.string().optional().catch(absent),
    first_row: number,
    last_row: number,
  })
  .catch({ filetype: '' });

/** Where a chunk was in the source of its document, if that is stored. */
export const spanOf = (metadata: unknown): Citation['span'] => toSpan(citedMetadata.parse(metadata));

const toSpan = ({ char_start: start, char_end: end }: z.output<typeof citedMetadata>): Citation['span'] =>
  start !== undefined && end !== undefined ? { start, end } : undefined;

/** Makes a citation of what a row has for it; what is not known is left out. */
function toCitation({ processedTime, sniffedSubType, revision, metadata, ...row }: CitedRow): Citation {
  const { title, url, ordinal, sourceHash, edited } = row;
  const known = citedMetadata.parse(metadata);
  const span = toSpan(known);
  const { page_number: page, last_page_number: lastPage = page, first_row: first, last_row: last } = known;
  return {
    title,
    url,
    mediaType: known.filetype,
    ...(processedTime && { processedTime }),
    ordinal,
    version: revision,
    sourceHash,
    edited,
    ...(span && { span }),
    ...(known.headings && { headings: known.headings }),
    ...(PAGED.has(sniffedSubType ?? '') && page && lastPage && { pages: { first: page, last: lastPage } }),
    ...(sniffedSubType === 'pptx' && page && { slide: page }),
    ...(known.extracted_by !== undefined && { extractedBy: known.extracted_by }),
    ...(known.sheet !== undefined && { sheet: known.sheet }),
    ...(first !== undefined && last !== undefined && { rows: { first, last } }),
  };
}

/** Takes a citation out of a row: what is left is the row without it. */
export function takeCitation<R extends CitedRow>(
  found: R,
): { citation: Citation; row: Omit<R, keyof CitedRow> } {
  const {
    title,
    url,
    sniffedSubType,
    processedTime,
    ordinal,
    revision,
    sourceHash,
    edited,
    metadata,
    ...row
  } = found;
  return { citation: toCitation(found), row };
}
