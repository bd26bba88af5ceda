import { conflict, invalid, notFound, unavailable } from '../errors/errors.js';
import { joinChunks, type TextSpan } from '../routers/index.js';
import { cutText, joinPages } from './join-pages.js';
import { type Caller, mayCall, scopeOf } from './tool.js';

/** Which part of a document: pages from 1, or characters. */
export interface Wanted {
  documentId: string;
  first: number;
  pages: number;
  span?: TextSpan | undefined;
  unitId?: string | undefined;
}

interface PlacedText {
  text: string;
  /** Where it is in the source; undefined where that is not known. */
  span?: TextSpan | undefined;
  /** Absent for a span. */
  page?: number;
  pageCount?: number;
  nextPage: number | null;
}

/** Where the source is not kept, at most so many chunks are a page. */
const CHUNKS_OF_PAGE = 20;

/** A document and a part of its text: of its source, or where that is not kept, of its chunks. */
export async function readDocument(
  caller: Caller,
  wanted: Wanted,
): Promise<PlacedText & { document: Awaited<ReturnType<Caller['api']['documents']['getMany']>>[number] }> {
  const { documentId, first: page, pages, span, unitId } = wanted;
  const scope = scopeOf(caller, unitId);
  const [source, [document]] = await Promise.all([
    caller.api.documents.sourceText({ scope, documentId, page, pages, span }),
    caller.api.documents.getMany({ scope, documentIds: [documentId] }),
  ]);
  if (!document) throw notFound('Document', ['documentId']);
  if (source.unavailable === 'being_read') {
    throw unavailable('The document is being read; call again in a few seconds.');
  }
  if (source.unavailable) return { document, ...(await readChunks(caller, wanted)) };
  const text = joinPages(source.pages);
  if (!span) return { document, ...text, ...place(page, source.pages.length, source.pageCount) };
  const cut = cutText(text, span);
  if (cut.text === '') throw noSuchText();
  return { document, ...cut, nextPage: null };
}

/** A page of chunks in their order, or the first of those that have some characters, without what they repeat. */
async function readChunks(caller: Caller, { documentId, first, span, unitId }: Wanted): Promise<PlacedText> {
  if (!mayCall(caller, 'chunks.list')) {
    const message =
      'Only passages of this document are stored, and the API key lacks the scope chunks:read; use search to find them.';
    throw conflict(message, ['documentId']);
  }
  const size = Math.min(CHUNKS_OF_PAGE, caller.maxPageSize);
  const filter = { scope: scopeOf(caller, unitId), documentId, statuses: ['active' as const], span };
  const page = span ? 1 : first;
  const [list, before] = await Promise.all([
    caller.api.chunks.list({ ...filter, page, pageSize: size }),
    // The last one of the page before, of which this one may repeat the end.
    page > 1 ? caller.api.chunks.list({ ...filter, page: (page - 1) * size, pageSize: 1 }) : { items: [] },
  ]);
  const { items } = list;
  if (span && items.length === 0) throw noSuchText();
  const { text, places } = joinChunks([...before.items, ...items]);
  const [start, end] = [items[0]?.span?.start, items.at(-1)?.span?.end];
  return {
    text: before.items.length > 0 ? text.slice(places[0]?.end) : text,
    ...(start !== undefined && end !== undefined && { span: { start, end } }),
    ...(span ? { nextPage: null } : place(page, Math.min(1, items.length), list.totalPages)),
  };
}

function place(page: number, read: number, pageCount: number) {
  const next = page + read;
  return { page, pageCount, nextPage: read > 0 && next <= pageCount ? next : null };
}

const noSuchText = () => invalid('is behind the end of the text', ['span', 'start']);
