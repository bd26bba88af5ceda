import type { Document, Inputs } from '../../api/trpc';
import { pageOf, textOf } from '../../common/search-params';

export const statuses = ['created', 'processing', 'ready', 'failed'] as const satisfies Document['status'][];
export const WITH_WARNINGS = 'warnings' as const;
export const types = [
  'UnstructuredFile',
  'StructuredFile',
  'UnstructuredWebpage',
  'StructuredWebpage',
] as const satisfies Document['documentType'][];

/** The newest first, unless one of these. */
export const orders = ['updated', 'name'] as const satisfies Inputs['documents']['list']['order'][];

/** What the address can ask to be added. */
export const added = ['files', 'text', 'urls'] as const;

/** Longest part of a name that the server searches for. */
export const MAX_NAME_PART = 200;

/** Longest code of a failure that the server searches for. */
const MAX_CODE = 255;

/** Filters and position, as they are in the address. */
export interface DocumentsSearch {
  /** A part of the name, title or URL. */
  name?: string | undefined;
  /** Or `warnings`: whatever the status, documents with warnings. */
  status?: Document['status'] | typeof WITH_WARNINGS | undefined;
  /** Why failed documents have failed, by code. */
  reason?: string | undefined;
  type?: Document['documentType'] | undefined;
  dataset?: string | undefined;
  order?: (typeof orders)[number] | undefined;
  /** Those that are shown, separated by commas; the usual ones, if undefined. */
  columns?: string | undefined;
  /** What the open dialog adds: files, a text or web pages. */
  add?: (typeof added)[number] | undefined;
  /** The first row on the screen, from 1. */
  row?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readDocumentsSearch(search: Record<string, unknown>): DocumentsSearch {
  return {
    name: textOf(search.name)?.slice(0, MAX_NAME_PART),
    status: [...statuses, WITH_WARNINGS].find((status) => status === search.status),
    reason: search.status === 'failed' ? textOf(search.reason)?.slice(0, MAX_CODE) : undefined,
    type: types.find((type) => type === search.type),
    dataset: textOf(search.dataset),
    order: orders.find((order) => order === search.order),
    columns: textOf(search.columns),
    add: added.find((kind) => kind === search.add),
    row: pageOf(search.row),
  };
}
