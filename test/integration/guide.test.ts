import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useApp } from '../support/app.js';

const app = useApp();

test('the statement of the guide adds a message', async () => {
  const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
  const { id } = await app.trpc().conversations.create.mutate({ scope });
  const page = await readFile('docs/guide/how-to/get-messages-in.md', 'utf8');
  const [, statement = ''] = /```sql\n([\s\S]*?)```/.exec(page) ?? [];
  await sql.raw(statement.replace('CONVERSATION_ID', id)).execute(app.db);
  const { items } = await app.trpc().messages.list.query({ scope, conversationId: id });
  expect(items).toMatchObject([
    { id: 'm-1', conversationId: id, messageFrom: 'user', content: 'Where is my parcel?' },
  ]);
});
