import type { TestApp } from './rest-client.js';
import { createRestClient, DOCUMENTS } from './rest-client.js';
import { signIn } from './sign-in.js';

/**
 * Gives a tenant some of everything, through the API.
 *
 * @param word stands in all of its texts
 */
export async function fillTenant(
  app: TestApp,
  { tenantId, word, webhookUrl }: { tenantId: string; word: string; webhookUrl: string },
) {
  const scope = { tenantId, tenantUnitId: 'sales' };
  const { key, id: keyId } = await app.makeKey({ scope: { tenantId }, name: `Key of ${word}` });
  const headers = { 'x-api-key': key, 'x-user-id': `user-${word}` };
  const caller = app.trpc(headers);
  const { call } = createRestClient(app);
  await caller.webhooks.create.mutate({
    scope: { tenantId },
    url: webhookUrl,
    description: word,
    eventTypes: ['document.ready', 'conversation.created', 'conversation.deleted'],
  });
  await addConversations(app, caller, { scope, word });

  const document = { ...scope, documentType: 'UnstructuredFile', documentName: word };
  const query = { tenantId, datasetIds: JSON.stringify(['faq']) };
  const body = { ...document, documentContent: `The ${word} returns in spring.`, title: word };
  const idempotent = { ...headers, 'idempotency-key': `once-${word}` };
  const inline = await call(200, 'POST', DOCUMENTS, { query, body, headers: idempotent });
  expectSame(inline, await call(200, 'POST', DOCUMENTS, { query, body, headers: idempotent }));
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...document, datasetIds: '["faq"]' })) form.set(name, value);
  form.set('file', new File([`# ${word}\n\nFrom a file about the ${word}.`], `${word}.md`));
  await call(200, 'POST', `${DOCUMENTS}/upload`, { body: form, headers });
  // Waits for its document.
  await caller.files.upload.mutate(new Blob([`A file of ${word}`]) as never);
  await app.settle();

  const documentId = String(inline.id);
  const { items } = await caller.chunks.list.query({ scope, documentId });
  const [chunk] = items;
  const chunkId = String(chunk?.id);
  await caller.chunks.update.mutate({ scope, documentId, chunkId, content: `Edited: the ${word} is back.` });
  const collection = `${word} questions`;
  await caller.evaluations.saveQuestion.mutate({
    scope,
    collection,
    query: `When does the ${word} return?`,
    datasetIds: ['faq'],
    expected: [{ documentId, chunkId }],
  });
  await caller.evaluations.run.mutate({ scope, collection });
  await caller.search.saveSynonyms.mutate({ scope, terms: [word, 'rarity'] });
  await caller.apiKeys.rotate.mutate({
    scope: { tenantId },
    keyId: (await app.makeKey({ scope: { tenantId }, name: word })).id,
    overlap: '1h',
  });
  await signIn(app, key);
  return { key, keyId, scope, documentId, caller };
}

async function addConversations(
  app: TestApp,
  { conversations }: ReturnType<TestApp['trpc']>,
  { scope, word }: { scope: { tenantId: string; tenantUnitId: string }; word: string },
): Promise<void> {
  const { id: conversationId } = await conversations.create.mutate({ scope, topic: `About the ${word}` });
  await conversations.update.mutate({ scope, conversationId, topic: `More about the ${word}` });
  const gone = await conversations.create.mutate({ scope, topic: `Deleted, about the ${word}` });
  await conversations.delete.mutate({ scope, conversationId: gone.id });
  // The agent runtime writes them.
  await app.db
    .insertInto('messages')
    .values({
      ...{
        ...scope,
        id: `message of ${word}`,
        conversationId,
        agentId: 'agent',
        userId: 'user',
        runId: 'run',
      },
      messageFrom: 'user',
      content: `Where is the ${word}?`,
      requestedTime: new Date(),
    })
    .execute();
}

function expectSame(first: { id: string }, second: { id: string }): void {
  if (first.id !== second.id) throw new Error('The repeated call has made another document.');
}
