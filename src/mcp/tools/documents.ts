import { z } from 'zod';
import { invalid } from '../../errors/errors.js';
import { textSpan } from '../../routers/index.js';
import { readDocument } from '../read-document.js';
import {
  AS_DATA,
  type Caller,
  cursorAfter,
  id,
  linkTo,
  nextCursor,
  page,
  pageOf,
  READ_ONLY,
  scopeOf,
  tool,
  unit,
} from '../tool.js';

/** Of a text, about two printed pages each. */
export const MAX_PAGES = 20;

const about = {
  id: z.string(),
  title: z.string(),
  url: z.string().describe('Where a person can open the document.'),
};

export const fetchDocument = tool({
  name: 'fetch',
  title: 'Read a document',
  description: `Returns the text of a document, some of its pages, or a span of it. ${AS_DATA}`,
  procedure: 'documents.sourceText',
  annotations: READ_ONLY,
  input: z.strictObject({
    id: id('Id of a document, from search or list_documents.'),
    page: z.int().min(1).max(10_000_000).default(1).describe('The first page to read, from 1.'),
    pages: z
      .int()
      .min(1)
      .max(MAX_PAGES)
      .default(5)
      .describe('How many pages of up to 8,000 characters to read.'),
    span: textSpan
      .optional()
      .describe(
        'Only these characters, such as those around citation.span of a search result, in place of page and pages. The span of the answer says which characters it has.',
      ),
    unit,
  }),
  output: z.object({
    ...about,
    text: z.string(),
    span: z
      .object({ start: z.int(), end: z.int() })
      .optional()
      .describe('Which characters of the document the text has, if that is known.'),
    page: z.int().optional().describe('Absent for a span.'),
    pageCount: z.int().optional().describe('Pages of the document; absent for a span.'),
    nextPage: z.int().nullable().describe('Give it as page to read on; null at the end, and for a span.'),
    metadata: z.object({
      type: z.string(),
      status: z.string(),
      updatedTime: z.string(),
      datasets: z.array(z.string()),
    }),
  }),
  async call({ id: documentId, page: first, pages, span, unit: unitId }, caller) {
    const { document, ...text } = await readDocument(caller, { documentId, first, pages, span, unitId });
    const { documentName, title, datasetIds, status, updatedTime } = document;
    return {
      id: documentId,
      title: title ?? documentName ?? '',
      url: linkTo(caller, document),
      ...text,
      metadata: {
        type: document.documentSubType ?? document.documentType,
        status,
        updatedTime: updatedTime.toISOString(),
        datasets: datasetIds,
      },
    };
  },
});

export const listDocuments = tool({
  name: 'list_documents',
  title: 'List documents',
  description: `Lists documents, the newest first. ${AS_DATA}`,
  procedure: 'documents.list',
  annotations: READ_ONLY,
  input: z.strictObject({
    datasets: z
      .array(z.string().max(255))
      .max(1_000)
      .optional()
      .describe('Only documents of any of these datasets.'),
    name: z.string().min(1).max(200).optional().describe('A part of the name, the title or the URL.'),
    status: z
      .enum(['created', 'processing', 'ready', 'failed'])
      .optional()
      .describe('Only documents with this status. Those that are ready can be searched.'),
    unit,
    ...page,
  }),
  output: z.object({
    documents: z.array(
      z.object({
        ...about,
        type: z.string(),
        status: z.string(),
        datasets: z.array(z.string()),
        updatedTime: z.string(),
      }),
    ),
    total: z.int(),
    nextCursor,
  }),
  async call({ datasets, name, status, unit: unitId, ...wanted }, caller) {
    const list = await caller.api.documents.list({
      scope: scopeOf(caller, unitId),
      ...pageOf(caller, wanted),
      ...(datasets && { datasetIds: datasets }),
      ...(name !== undefined && { nameContains: name }),
      ...(status && { statuses: [status] }),
    });
    const documents = list.items.map((one) => ({
      id: one.id,
      title: one.title ?? one.documentName ?? '',
      url: linkTo(caller, one),
      type: one.documentSubType ?? one.documentType,
      status: one.status,
      datasets: one.datasetIds,
      updatedTime: one.updatedTime.toISOString(),
    }));
    return { documents, total: list.totalCount, nextCursor: cursorAfter(list) };
  },
});

export const addDocument = tool({
  name: 'add_document',
  title: 'Add a document',
  description:
    'Adds a document from text or from the address of a web page. It can be searched as soon as it is processed, mostly within seconds.',
  procedure: 'documents.create',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    name: z.string().min(1).max(1_024).describe('Name of the document.'),
    text: z.string().min(1).optional().describe('The text, plain or as Markdown. Give this or url.'),
    url: z.string().min(1).max(8_192).optional().describe('An http or https address to read the text from.'),
    datasets: z.array(id('Id of a dataset.')).min(1).max(1_000).describe('The datasets of the document.'),
    unit: id('The unit of the document. Needed if the API key reaches several.').optional(),
  }),
  output: z.object({ ...about, status: z.string() }),
  async call({ name, text, url, datasets, unit: unitId }, caller) {
    if ((text === undefined) === (url === undefined)) throw invalid('give either text or url', ['text']);
    const created = await caller.api.documents.create({
      scope: { tenantId: caller.tenantId, tenantUnitId: unitId ?? unitOfNew(caller) },
      documentType: url === undefined ? 'UnstructuredFile' : 'UnstructuredWebpage',
      documentName: name,
      datasetIds: datasets,
      ...(url === undefined ? { documentContent: text } : { url }),
    });
    return { id: created.id, title: name, url: linkTo(caller, created), status: created.status };
  },
});

/** @throws DomainError `invalid` where there are several */
function unitOfNew({ tenantUnitIds = [], defaultUnitId }: Caller): string {
  const [only = defaultUnitId, ...others] = tenantUnitIds;
  if (others.length > 0) throw invalid('name the unit: there are several', ['unit'], 'missing');
  return only;
}
