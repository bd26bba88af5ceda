import { conflict, notFound, unavailable } from '../errors/errors.js';
import { type Caller, mayCall, scopeOf } from './tool.js';

interface Wanted {
  documentId: string;
  /** From 1. */
  first: number;
  pages: number;
  unitId?: string | undefined;
}

/** Where the source is not kept, so many chunks are a page. */
const CHUNKS_OF_PAGE = 20;

/** A document and some pages of its text: of its source, or where that is not kept, of its chunks. */
export async function readDocument(caller: Caller, { documentId, first, pages, unitId }: Wanted) {
  const scope = scopeOf(caller, unitId);
  const [source, [document]] = await Promise.all([
    caller.api.documents.sourceText({ scope, documentId, page: first, pages }),
    caller.api.documents.getMany({ scope, documentIds: [documentId] }),
  ]);
  if (!document) throw notFound('Document', ['documentId']);
  if (source.unavailable === 'being_read') {
    throw unavailable('The document is being read; call again in a few seconds.');
  }
  if (source.unavailable) return { document, ...(await readChunks(caller, { documentId, first, unitId })) };
  return { document, text: joinPages(source.pages), ...place(first, source.pages.length, source.pageCount) };
}

/** A page of chunks in their order, which may overlap. */
async function readChunks(caller: Caller, { documentId, first, unitId }: Omit<Wanted, 'pages'>) {
  if (!mayCall(caller, 'chunks.list')) {
    const message =
      'Only passages of this document are stored, and the API key lacks the scope chunks:read; use search to find them.';
    throw conflict(message, ['documentId']);
  }
  const list = await caller.api.chunks.list({
    scope: scopeOf(caller, unitId),
    documentId,
    statuses: ['active'],
    page: first,
    pageSize: CHUNKS_OF_PAGE,
  });
  const text = list.items.map(({ content }) => content).join('\n\n');
  return { text, ...place(first, Math.min(1, list.items.length), list.totalPages) };
}

/** A long page is in several parts, which end with the space or line break where they were cut. */
const joinPages = (pages: { text: string }[]): string =>
  pages.reduce((text, page) => text + (text === '' || /\s$/.test(text) ? '' : '\n\n') + page.text, '');

function place(page: number, read: number, pageCount: number) {
  const next = page + read;
  return { page, pageCount, nextPage: read > 0 && next <= pageCount ? next : null };
}
