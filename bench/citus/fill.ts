import pg from 'pg';
import { createTrpcClient } from '../api/ingestion/upload.js';
import type { HttpClient } from '../search/http-client.js';

export const TENANTS = Array.from({ length: 8 }, (_, n) => `tenant-${n}`);
export const UNIT = 'unit';
export const AGENT = '6b1f6f0e-6d0e-4b59-9a4c-0f8f5f3a2f10';
const CONVERSATIONS = 60;
const MESSAGES = 10;
const DOCUMENTS = 40;
const POLL_MS = 50;
const WORDS =
  'goods delivery order refund return invoice warranty repair store customer account payment card discount season size colour stock carrier address'.split(
    ' ',
  );

/** A thousand characters of some words, other ones for each number. */
export const textOf = (n: number): string =>
  Array.from({ length: 140 }, (_, place) => WORDS[(n * 7 + place * (1 + (n % 13))) % WORDS.length]).join(' ');

/** The ids of what was made, by tenant. */
export const made = new Map<string, { conversations: string[]; documents: string[] }>();

/** Makes conversations with messages, and documents, of each tenant, by the API. */
export async function fill(http: HttpClient, address: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const tenant of TENANTS) {
    const conversations: string[] = [];
    for (let n = 0; n < CONVERSATIONS; n++) {
      const { body } = await http.post(
        `/admin/api/v2/conversations?tenant_id=${tenant}&tenant_unit_id=${UNIT}`,
        {
          agent_id: AGENT,
          topic: `Order ${n}`,
        },
      );
      const { id } = body as { id: string };
      conversations.push(id);
      for (let m = 0; m < MESSAGES; m++) await appendMessage(client, { tenant, conversation: id });
    }
    const documents: string[] = [];
    for (let n = 0; n < DOCUMENTS; n++) documents.push(await createDocument(http, tenant, n));
    made.set(`${address} ${tenant}`, { conversations, documents });
  }
  await client.end();
  for (const tenant of TENANTS) await untilReady(address, tenant);
}

/** As the agent runtime does. */
export const appendMessage = (
  client: pg.Client,
  { tenant, conversation }: { tenant: string; conversation: string },
): Promise<unknown> =>
  client.query({
    name: 'append',
    text: `insert into messages (id, tenant_id, tenant_unit_id, conversation_id, agent_id, user_id, run_id, message_from, content, requested_time)
      values (gen_random_uuid()::text, $1, $2, $3, 'agent', 'user', 'run', 'user', 'Where is my order?', now())`,
    values: [tenant, UNIT, conversation],
  });

export async function createDocument(http: HttpClient, tenant: string, n: number): Promise<string> {
  const { body } = await http.post(`/admin/api/v1/documents?tenantId=${tenant}&datasetIds=["faq"]`, {
    tenantId: tenant,
    tenantUnitId: UNIT,
    documentType: 'UnstructuredFile',
    documentContent: textOf(n),
  });
  return (body as { id: string }).id;
}

export async function untilReady(address: string, tenant: string): Promise<void> {
  const { documents } = createTrpcClient(address);
  const scope = { tenantId: tenant, tenantUnitId: UNIT };
  const unfinished = { scope, pageSize: 1, statuses: ['created', 'processing'] };
  while ((await documents.list.query(unfinished)).totalCount > 0)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const { totalCount } = await documents.list.query({ scope, pageSize: 1, statuses: ['failed'] });
  if (totalCount > 0) throw new Error(`${totalCount} documents failed.`);
}
