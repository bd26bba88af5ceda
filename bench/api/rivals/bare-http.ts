/** Reads by bare `node:http` and prepared statements of `pg`: the least that a server can do. */
import type { ServerResponse } from 'node:http';
import pg from 'pg';
import { listen, url } from './listen.js';

const V2 = '/admin/api/v2/conversations';
const V1 = '/admin/api/v1/documents';
const pool = new pg.Pool({ connectionString: url, max: 20 });

const conversationColumns = `c.id, c.topic, c.agent_id, c.tenant_id, c.tenant_unit_id, c.user_id, c.agent_mode,
  c.extend_properties, c.invoke_from, c.inputs, c.status, c.assignment_id, c.created_time, c.updated_time, c.created_by,
  c.updated_by, c.created_by_role, c.updated_by_role, c.created_by_name, c.updated_by_name, c.agent_type`;
const documentColumns = `id, tenant_id as "tenantId", tenant_unit_id as "tenantUnitId", document_type as "documentType",
  coalesce(document_sub_type, sniffed_sub_type) as "documentSubType", document_name as "documentName",
  storage_type as "storageType", storage_bucket as "storageBucket", storage_path as "storagePath", url,
  created_time as "createdTime", updated_time as "updatedTime", status, created_by as "createdBy",
  updated_by as "updatedBy", title, category, processing_progress as "processingProgress",
  custom_properties as "customProperties", enabled`;

const STATEMENTS = {
  conversation: `select c.version, ${conversationColumns} from conversations as c where tenant_id = $1 and id = $2`,
  document: `select version, ${documentColumns}, (select content from document_sources as s
    where s.tenant_id = documents.tenant_id and s.document_id = documents.id) as "documentContent"
    from documents where tenant_id = $1 and id = $2`,
  conversations: `select ${conversationColumns}, (select count(*)::integer from messages as m
    where m.tenant_id = c.tenant_id and m.conversation_id = c.id) as message_count
    from conversations as c where tenant_id = $1 order by c.created_time desc, c.id desc limit $2`,
  documents: `select ${documentColumns} from documents where tenant_id = $1
    order by created_time desc, id desc limit $2`,
  conversationCount: 'select count(*)::integer as count from conversations where tenant_id = $1',
  documentCount: 'select count(*)::integer as count from documents where tenant_id = $1',
};

listen(async (req, res) => {
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://host');
  const isV2 = pathname.startsWith(V2);
  const tenant = searchParams.get(isV2 ? 'tenant_id' : 'tenantId');
  const id = decodeURIComponent(pathname.slice((isV2 ? V2 : V1).length + 1));
  if (id) {
    const [row] = await run(isV2 ? 'conversation' : 'document', [tenant, id]);
    if (!row) return void res.writeHead(404).end();
    const { version, ...record } = row;
    return send(res, isV2 ? record : withoutNulls(record), { etag: `"${version}"` });
  }
  const size = Number(searchParams.get(isV2 ? 'page_size' : 'pageSize'));
  const [[counted], rows] = await Promise.all([
    run(isV2 ? 'conversationCount' : 'documentCount', [tenant]),
    run(isV2 ? 'conversations' : 'documents', [tenant, size]),
  ]);
  const total = Number(counted?.count);
  const pages = Math.ceil(total / size);
  const head = {
    page_num: 1,
    page_size: size,
    total_count: total,
    total_pages: pages,
    has_next_page: 1 < pages,
  };
  const pagination = { totalCount: total, currentPage: 1, pageSize: size, totalPages: pages };
  send(res, isV2 ? { ...head, data: rows } : { data: rows.map(withoutNulls), pagination });
});

async function run(name: keyof typeof STATEMENTS, values: unknown[]): Promise<Record<string, unknown>[]> {
  return (await pool.query({ name, text: STATEMENTS[name], values })).rows;
}

function send(res: ServerResponse, body: object, headers: Record<string, string> = {}): void {
  const json = JSON.stringify(body);
  res.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(json),
    ...headers,
  });
  res.end(json);
}

const withoutNulls = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
