/** A filter of a list, in the names of the rival's parameters. */
export interface ListCase {
  what: string;
  list: 'conversations' | 'documents';
  filter: Record<string, string>;
  /** Too few match for a count to cost much: never slower than the naive one is all that is asked. */
  isNarrow?: boolean;
}

const conversations = (what: string, filter: Record<string, string>, isNarrow = false): ListCase => ({
  what: `conversations${what}`,
  list: 'conversations',
  filter,
  isNarrow,
});
const documents = (what: string, filter: Record<string, string>): ListCase => ({
  what: `documents${what}`,
  list: 'documents',
  filter,
});

/** Each documented filter, and the usual pairs. */
export const CASES: ListCase[] = [
  conversations('', {}),
  conversations(' of a unit', { unit: 'unit3' }),
  conversations(' of a status', { status: 'failed' }),
  conversations(' of an agent', { agent: 'agent7' }),
  conversations(' of an assignment', { assignment: 'case9' }, true),
  conversations(' of a status and an agent', { status: 'failed', agent: 'agent7' }),
  conversations(' of a unit and a status', { unit: 'unit3', status: 'failed' }),
  conversations(' of an assignment and a status', { assignment: 'case9', status: 'succeeded' }, true),
  documents('', {}),
  documents(' of a unit', { unit: 'unit3' }),
  documents(' of a type', { type: 'StructuredFile' }),
  documents(' of a status', { status: 'ready' }),
  documents(' of a dataset', { dataset: 'set5' }),
  documents(' of a type and a status', { type: 'StructuredFile', status: 'ready' }),
  documents(' of a dataset and a status', { dataset: 'set5', status: 'ready' }),
  documents(' of a unit and a type', { unit: 'unit3', type: 'StructuredFile' }),
];

export interface PageAsked {
  page: number;
  order: 'recent' | 'oldest';
}

const PAGE_SIZE = 20;
/** Names of parameters in REST; documents have no filter by status there. */
const REST = {
  conversations: {
    tenant: 'tenant_id',
    unit: 'tenant_unit_id',
    status: 'status',
    agent: 'agent_id',
    assignment: 'assignment_id',
  },
  documents: { tenant: 'tenantId', unit: 'tenantUnitId', type: 'type', dataset: 'datasetIds' },
} as const;

export const pageSize = PAGE_SIZE;

export function rivalPath({ list, filter }: ListCase, tenant: string, { page, order }: PageAsked): string {
  const query = new URLSearchParams({
    tenant,
    ...filter,
    page: String(page),
    size: String(PAGE_SIZE),
    order,
  });
  return `/${list}?${query}`;
}

/** REST where it has the filters, else tRPC. */
export function servicePath({ list, filter }: ListCase, tenant: string, { page, order }: PageAsked): string {
  const names: Record<string, string> = REST[list];
  if (list === 'documents' && 'status' in filter) {
    const { unit, type, status, dataset } = filter;
    const input = {
      scope: { tenantId: tenant, ...(unit && { tenantUnitId: unit }) },
      page,
      pageSize: PAGE_SIZE,
      ...(type && { documentTypes: [type] }),
      ...(status && { statuses: [status] }),
      ...(dataset && { datasetIds: [dataset] }),
    };
    return `/trpc/documents.list?input=${encodeURIComponent(JSON.stringify(input))}`;
  }
  const filters = Object.entries({ tenant, ...filter }).map(([name, value]): [string, string] => [
    names[name] ?? name,
    value,
  ]);
  const paging: Record<string, string> =
    list === 'conversations'
      ? { page_num: String(page), page_size: String(PAGE_SIZE), order }
      : { page: String(page), pageSize: String(PAGE_SIZE) };
  const base = list === 'conversations' ? '/admin/api/v2/conversations' : '/admin/api/v1/documents';
  return `${base}?${new URLSearchParams([...filters, ...Object.entries(paging)])}`;
}

/** Total and ids of an answer, whoever gave it. */
export function readAnswer(body: unknown): { total: number; ids: string[] } {
  // biome-ignore lint/suspicious/noExplicitAny: answers of three kinds
  const answer = body as any;
  const { items, totalCount } = answer.result?.data ?? {};
  const rows: { id: string }[] = items ?? answer.data;
  const total = totalCount ?? answer.total ?? answer.total_count ?? answer.pagination?.totalCount;
  return { total, ids: rows.map(({ id }) => id) };
}
