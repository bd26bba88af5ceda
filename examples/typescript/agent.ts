/** A turn of an agent: stores the question, searches, and writes an answer that a second client watches. Usage: node built/agent.js QUESTION */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { createLectern } from 'lectern/client';

const { LECTERN_URL = 'http://127.0.0.1:8080', LECTERN_KEY, LECTERN_TENANT = 'example' } = process.env;
const connect = () => createLectern({ url: LECTERN_URL, ...(LECTERN_KEY && { apiKey: LECTERN_KEY }) });
const [question] = process.argv.slice(2);
if (!question) {
  console.error('Usage: node built/agent.js QUESTION');
  process.exit(2);
}
const scope = { tenantId: LECTERN_TENANT, tenantUnitId: 'typescript' };
const { messages, chunks } = connect().trpc;

const { conversationId } = await messages.append.mutate({
  scope,
  conversation: { topic: question, userId: 'ada' },
  messages: [{ id: randomUUID(), messageFrom: 'user', content: question }],
});
const watching = watch();

const hits = await chunks.search.query({ scope, datasetIds: ['files'], query: question, topK: 3 });
// In place of a model, which would write an answer from the hits: the best one, sentence by sentence.
const sentences = hits[0]?.content.match(/[^.]+\.?/g) ?? ['I do not know.'];
const answer = { scope, conversationId, messageId: randomUUID() };
await messages.stream.mutate({ ...answer, part: 0, text: '', message: { messageFrom: 'agent' } });
for (const [place, text] of sentences.entries()) {
  await setTimeout(500);
  await messages.stream.mutate({ ...answer, part: place + 1, text });
}
const metadata = {
  citations: hits.map(({ documentId, documentName, citation }) => ({
    documentId,
    documentName,
    ...citation,
  })),
};
await messages.stream.mutate({
  ...answer,
  part: sentences.length + 1,
  text: '',
  close: { status: 'done', metadata },
});
await watching;

async function watch(): Promise<void> {
  for await (const { messageFrom, content, status } of connect().follow({ scope, conversationId })) {
    console.log(`${messageFrom}${status === 'streaming' ? ' (writing)' : ''}: ${content}`);
    if (status === 'done') return;
  }
}
