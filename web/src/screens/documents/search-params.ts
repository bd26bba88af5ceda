import type { Document } from '../../api/trpc';

export const statuses = ['created', 'processing', 'ready', 'failed'] as const satisfies Document['status'][];
export const types = [
  'UnstructuredFile',
  'StructuredFile',
  'UnstructuredWebpage',
  'StructuredWebpage',
] as const satisfies Document['documentType'][];

/** Filters and page, as they are in the address. */
export interface DocumentsSearch {
  status?: Document['status'] | undefined;
  type?: Document['documentType'] | undefined;
  dataset?: string | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readDocumentsSearch(search: Record<string, unknown>): DocumentsSearch {
  const page = Number(search.page);
  return {
    status: statuses.find((status) => status === search.status),
    type: types.find((type) => type === search.type),
    dataset: typeof search.dataset === 'string' && search.dataset !== '' ? search.dataset : undefined,
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
  };
}
