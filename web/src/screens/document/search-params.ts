import type { Outputs } from '../../api/trpc';
import { pageOf, textOf } from '../../common/search-params';

export const views = ['chunks', 'properties', 'history'] as const;
export const statuses = [
  'active',
  'inactive',
] as const satisfies Outputs['chunks']['list']['items'][number]['status'][];

/** What of a document is shown, as it is in the address. */
export interface DocumentSearch {
  /** The chunks, if undefined. */
  view?: Exclude<(typeof views)[number], 'chunks'> | undefined;
  page?: number | undefined;
  chunkStatus?: (typeof statuses)[number] | undefined;
  text?: string | undefined;
  /** Only those that were edited. */
  edited?: 'yes' | undefined;
  /** A chunk, whose page is opened. */
  chunk?: string | undefined;
}

const MAX_TEXT = 200;

/** What the address says; what does not fit is left out. */
export function readDocumentSearch(search: Record<string, unknown>): DocumentSearch {
  return {
    view: search.view === 'properties' || search.view === 'history' ? search.view : undefined,
    page: pageOf(search.page),
    chunkStatus: statuses.find((status) => status === search.chunkStatus),
    text: textOf(search.text)?.slice(0, MAX_TEXT),
    edited: search.edited === 'yes' ? 'yes' : undefined,
    chunk: textOf(search.chunk),
  };
}
