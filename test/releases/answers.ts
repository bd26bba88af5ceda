import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from '../../src/routers/index.js';

/* What is asked of each release, and what it answered. */

const scope = { tenantId: 'acme', tenantUnitId: 'unit' };
const tenant = 'tenantId=acme';
const unit = 'tenant_id=acme&tenant_unit_id=unit';
const V1 = '/admin/api/v1';
const question = {
  tenant_id: 'acme',
  tenant_unit_id: 'unit',
  dataset_ids: ['faq'],
  query: 'When is the deposit paid back?',
};

export const connect = (address: string) =>
  createTRPCClient<AppRouter>({ links: [httpLink({ url: `${address}/trpc` })] });

/** Reads what the server at `address` has, in ways that do not depend on the time. */
export async function readAnswers(address: string): Promise<Record<string, unknown>> {
  const trpc = connect(address);
  const rest = async (route: string, body?: object) => {
    const response = await fetch(address + route, {
      ...(body && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    return { status: response.status, body: await response.json() };
  };
  const answers: Record<string, unknown> = {};
  const documents = await trpc.documents.list.query({ scope });
  const conversations = await trpc.conversations.list.query({ scope });
  const webhooks = await trpc.webhooks.list.query({ scope });
  Object.assign(answers, {
    documents,
    conversations,
    webhooks,
    'REST documents': await rest(`${V1}/documents?${tenant}`),
    'REST documents of a dataset': await rest(`${V1}/documents?${tenant}&datasetIds=["faq"]`),
    'REST conversations': await rest(`/admin/api/v2/conversations?${unit}`),
    'REST search': await rest(`${V1}/api/v1/documentChunks/search?${tenant}`, question),
    search: await trpc.chunks.search.query({ scope, datasetIds: ['faq'], query: 'deposit' }),
    facets: await trpc.conversations.facets.query({ scope }),
    'API keys': await trpc.apiKeys.list.query({ scope }),
    audit: await trpc.audit.list.query({ scope }),
    usage: await trpc.overview.usage.query({ scope }),
    evaluations: await trpc.evaluations.list.query({ scope }),
    questions: await trpc.evaluations.questions.query({ scope, collection: 'judged' }),
    runs: await trpc.evaluations.runs.query({ scope, collection: 'judged' }),
    synonyms: await trpc.search.synonyms.query({ scope }),
    tenants: await trpc.reach.tenants.query({}),
    'other tenant': await trpc.documents.list.query({ scope: { tenantId: 'theirs' } }),
  });
  for (const { id: documentId } of documents.items) {
    answers[`REST document ${documentId}`] = await rest(`${V1}/documents/${documentId}?${tenant}`);
    answers[`chunks of ${documentId}`] = await trpc.chunks.list.query({ scope, documentId });
    answers[`history of ${documentId}`] = await trpc.documents.history.query({ scope, documentId });
  }
  for (const { id: conversationId } of conversations.items) {
    answers[`messages of ${conversationId}`] = await trpc.messages.list.query({ scope, conversationId });
    answers[`REST messages of ${conversationId}`] = await rest(
      `/admin/api/v2/conversations/${conversationId}/messages?${unit}`,
    );
    answers[`statuses of ${conversationId}`] = await trpc.conversations.statusHistory.query({
      scope,
      conversationId,
    });
  }
  for (const { id: webhookId } of webhooks) {
    answers[`deliveries of ${webhookId}`] = await trpc.webhooks.deliveries.query({ scope, webhookId });
  }
  // As it is stored: dates are texts.
  return JSON.parse(JSON.stringify(answers));
}
