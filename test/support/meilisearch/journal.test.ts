import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from './client.js';
import { openJournal } from './journal.js';
import { startMeilisearch } from './server.js';

test('a double with a journal comes back with what it held, also after a line that a kill cut off', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-journal-'));
  const file = path.join(folder, 'writes.ndjson');
  const start = () => startMeilisearch({ journal: openJournal(file) });
  const first = await start();
  const client = createClient(first.url, first.masterKey);
  await client.perform('POST', '/indexes', { uid: 'a', primaryKey: 'id' });
  await client.perform('POST', '/indexes/a/documents', [{ id: '1', n: 1 }]);
  await first.close();
  appendFileSync(file, '{"method":"POST","url":"/indexes/a/doc');

  const second = await start();
  const again = createClient(second.url, second.masterKey);
  expect((await again.send('GET', '/indexes/a/documents')).body.results).toEqual([{ id: '1', n: 1 }]);
  expect((await again.send('POST', '/indexes/a/documents', [{ id: '2' }])).body.taskUid).toBe(2);
  await second.close();

  const third = await start();
  const results = (await createClient(third.url, third.masterKey).send('GET', '/indexes/a/documents')).body
    .results;
  expect(results.map(({ id }: { id: string }) => id)).toEqual(['1', '2']);
  await third.close();
  rmSync(folder, { recursive: true });
});
