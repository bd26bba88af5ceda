import { expect, test } from 'vitest';
import { cpuTime } from '../../packages/file-to-markdown/test/support/cpu-time.js';
import { useApp } from '../support/app.js';
import { chunksPath, createRestClient, TENANT } from './support/rest-client.js';

/** The longest text that a chunk may have. */
const LENGTH = 32_768;
/** What a person's edit takes is a few hundredths of this; by the square of the length it was seconds. */
const MOST_MS = 1_500;

const app = useApp();
const { call, createDocument } = createRestClient(app);

const UNITS = [
  'a',
  'a.',
  'a@',
  '](',
  '<a',
  '中',
  'กา',
  'ア',
  '\u0301\u0316',
  '\ufdfa',
  '👨‍👩‍👧‍👦',
  ' x',
  '#\n',
];

test('an edit with the longest hostile text keeps nobody else waiting', async () => {
  const { id } = await createDocument({ documentContent: 'A text.' });
  await app.settle();
  const [chunk] = (await call(200, 'GET', chunksPath(id), { query: TENANT })).data;
  const path = chunksPath(id) + chunk.id;
  const slow: Record<string, number> = {};
  for (const unit of UNITS) {
    const content = unit.repeat(LENGTH / unit.length);
    const time = await cpuTime(() => call(200, 'PATCH', path, { query: TENANT, body: { content } }));
    if (time > MOST_MS) slow[unit] = time;
  }
  expect(slow).toEqual({});
});
