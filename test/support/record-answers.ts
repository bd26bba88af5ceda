import { expect } from 'vitest';
import { createLectern } from '../../src/client/index.js';

const V1 = '/admin/api/v1';
const V2 = '/admin/api/v2/conversations';

export interface RecordOptions {
  address: string;
  apiKey: string;
  tenantId: string;
  tenantUnitId: string;
  datasetIds: string[];
  queries: string[];
}

/** What a server answers about everything that a tenant has, by what was asked. */
export async function recordAnswers(options: RecordOptions): Promise<Record<string, unknown>> {
  const { address, apiKey, tenantId, tenantUnitId, datasetIds } = options;
  const lectern = createLectern({ url: address, apiKey, retry: false });
  const answers: Record<string, unknown> = {};
  const ask = async (route: string, body?: unknown) => {
    const init = body ? { method: 'POST', body: JSON.stringify(body), headers: JSON_TYPE } : {};
    const answer = await lectern.fetch(address + route, init);
    const found = { status: answer.status, etag: answer.headers.get('etag'), body: await answer.json() };
    expect(found, route).toMatchObject({ status: 200 });
    answers[body ? `${route} ${JSON.stringify(body)}` : route] = found;
    return found.body;
  };

  const unit = `tenant_id=${tenantId}&tenant_unit_id=${tenantUnitId}`;
  for (const { id } of (await ask(`${V2}?${unit}`)).data) {
    await ask(`${V2}/${id}?${unit}`);
    await ask(`${V2}/${id}/messages?${unit}`);
  }
  for (const { id } of (await ask(`${V1}/documents?tenantId=${tenantId}`)).data) {
    await ask(`${V1}/documents/${id}?tenantId=${tenantId}`);
    await ask(`${V1}/api/v1/documents/${id}/documentChunks/?tenantId=${tenantId}&pageSize=100`);
  }
  for (const query of options.queries) {
    const search = { tenant_id: tenantId, tenant_unit_id: tenantUnitId, dataset_ids: datasetIds, query };
    await ask(`${V1}/api/v1/documentChunks/search?tenantId=${tenantId}`, search);
  }
  return { ...answers, ...(await recordProcedures(lectern, { tenantId, tenantUnitId })) };
}

const JSON_TYPE = { 'content-type': 'application/json' };

async function recordProcedures(
  { trpc }: ReturnType<typeof createLectern>,
  unit: { tenantId: string; tenantUnitId: string },
): Promise<Record<string, unknown>> {
  const scope = { tenantId: unit.tenantId };
  const webhooks = await trpc.webhooks.list.query({ scope });
  const { items: documents } = await trpc.documents.list.query({ scope });
  const { items: keys } = await trpc.apiKeys.list.query({ scope });
  return {
    webhooks,
    documents,
    // Being used changes it.
    keys: keys.map(({ lastUsedTime: _, ...key }) => key),
    deliveries: await Promise.all(
      webhooks.map(({ id: webhookId }) => trpc.webhooks.deliveries.query({ scope, webhookId })),
    ),
    histories: await Promise.all(
      documents.map(({ id: documentId }) => trpc.documents.history.query({ scope, documentId })),
    ),
    audit: await trpc.audit.list.query({ scope }),
    collections: await trpc.evaluations.list.query({ scope: unit }),
  };
}
