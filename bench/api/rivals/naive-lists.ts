/**
 * The two lists as they are written at first: `count(*)` beside a page with `OFFSET`, on the same tables, answered by bare
 * node:http. Prints its address; ends with its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });

/** The columns that parameters of a list filter by. */
const FILTERS: Record<string, string> = {
  tenant: 'tenant_id = $',
  unit: 'tenant_unit_id = $',
  status: 'status = $',
  agent: 'agent_id = $',
  assignment: 'assignment_id = $',
  type: 'document_type = $',
  dataset: `exists (
    select from document_datasets as s
    where s.tenant_id = documents.tenant_id and s.document_id = documents.id and s.dataset_id = $)`,
};

/** What is selected of a page: its rows are looked up first, so that nothing is counted for those before it. */
const LISTS: Record<string, string> = {
  conversations: `page.*, (
    select count(*)::int from messages as m
    where m.tenant_id = page.tenant_id and m.conversation_id = page.id) as message_count`,
  documents: 'page.*',
};

async function answer(url: URL): Promise<unknown> {
  const list = url.pathname.slice(1);
  const columns = LISTS[list];
  if (!columns) throw new Error(`There is no list ${list}.`);
  const parameters = [...url.searchParams].filter(([name]) => name in FILTERS);
  const conditions = parameters.map(([name], i) => FILTERS[name]?.replace('$', `$${i + 1}`));
  const values = parameters.map(([, value]) => value);
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : '';
  const [page, size] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('size'))];
  const way = url.searchParams.get('order') === 'oldest' ? 'asc' : 'desc';
  const order = `order by created_time ${way}, id ${way}`;
  const rows = `select * from ${list}${where} ${order} limit ${size} offset ${(page - 1) * size}`;
  const [counted, found] = await Promise.all([
    pool.query(`select count(*)::int as total from ${list}${where}`, values),
    pool.query(`select ${columns} from (${rows}) as page ${order}`, values),
  ]);
  return { total: counted.rows[0]?.total, data: found.rows };
}

const server = createServer((request, response) => {
  answer(new URL(request.url ?? '/', 'http://127.0.0.1')).then(
    (body) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(body));
    },
    (error) => {
      response.statusCode = 500;
      response.end(String(error));
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.on('disconnect', () => process.exit());
