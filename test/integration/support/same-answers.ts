import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { TestApp } from './rest-client.js';

/** Questions, and the passage that answers each: tests of other programs ask them, too. */
export const QUESTIONS_FILE = 'test/fixtures/same-answers.json';
const questions: { question: string; answer: string }[] = JSON.parse(readFileSync(QUESTIONS_FILE, 'utf8'));
const answers = questions.map(({ answer }) => answer);

const documentType = 'UnstructuredFile' as const;
export const READABLE = { tenantId: 'acme', tenantUnitId: 'sales', datasetId: 'faq' };
/** Documents that the key must not find, and that any wider search finds first. */
const BEYOND = {
  'of another tenant': { ...READABLE, tenantId: 'globex' },
  'of another unit': { ...READABLE, tenantUnitId: 'legal' },
  'of another dataset': { ...READABLE, datasetId: 'other' },
  disabled: READABLE,
  deleted: READABLE,
  inactive: READABLE,
};

/** Fills a fresh server. @returns a key that reads the answers, and nothing else of what there is */
export async function createAnswers(app: TestApp): Promise<string> {
  const callers = Object.fromEntries(
    await Promise.all(
      ['acme', 'globex'].map(async (tenantId) => {
        const { key } = await app.makeKey({ scope: { tenantId } });
        return [tenantId, app.trpc({ 'x-api-key': key })] as const;
      }),
    ),
  );
  const add = (place: typeof READABLE, documentContent: string) =>
    callers[place.tenantId]!.documents.create.mutate({
      scope: { tenantId: place.tenantId, tenantUnitId: place.tenantUnitId },
      datasetIds: [place.datasetId],
      documentType,
      documentContent,
    });
  const made = await Promise.all(
    questions.map(async ({ question, answer }) => {
      await add(READABLE, answer);
      const beyond = Object.entries(BEYOND).map(
        async ([kind, place]) => [kind, (await add(place, `${question} ${answer}`)).id] as const,
      );
      return Object.fromEntries(await Promise.all(beyond));
    }),
  );
  await app.settle();

  const { documents, chunks } = callers.acme!;
  for (const [n, { question, answer }] of questions.entries()) {
    for (const [tenantId, count] of [
      ['acme', 5],
      ['globex', 1],
    ] as const) {
      const hits = await callers[tenantId]!.chunks.search.query({
        scope: { tenantId, tenantUnitId: ['sales', 'legal'] },
        datasetIds: ['faq', 'other'],
        query: question,
        topK: count,
      });
      expect(hits.map(({ content }) => content)).toEqual(Array(count).fill(`${question} ${answer}`));
    }
    const id = (kind: keyof typeof BEYOND) => ({
      scope: { tenantId: 'acme', tenantUnitId: 'sales' },
      documentId: made[n]![kind]!,
    });
    await documents.setEnabled.mutate({ ...id('disabled'), enabled: false });
    await documents.delete.mutate(id('deleted'));
    const { items } = await chunks.list.query(id('inactive'));
    for (const chunk of items)
      await chunks.setStatus.mutate({ ...id('inactive'), chunkId: chunk.id, status: 'inactive' });
  }
  const { tenantId, tenantUnitId, datasetId } = READABLE;
  const scopes = ['search', 'documents:read'] as const;
  const scope = { tenantId, tenantUnitId };
  return (await app.makeKey({ scope, datasetIds: [datasetId], scopes: [...scopes] })).key;
}

/** Asks all questions. Each answer must be found first, and nothing that is out of reach at all. */
export async function expectAnswers(
  ask: (question: string) => Promise<(string | undefined)[]>,
): Promise<void> {
  for (const { question, answer } of questions) {
    const found = await ask(question);
    expect([question, found[0]]).toEqual([question, answer]);
    expect(found.filter((text) => !answers.includes(text ?? ''))).toEqual([]);
  }
}
