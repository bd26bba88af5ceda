import { expect, test } from 'vitest';
import { takeChunks } from './compare-chunks.js';
import { contentOf } from './content.js';
import { type Listed, newDocument } from './documents.js';
import { createRegister } from './register.js';

const [FIRST, SECOND, THIRD] = ['One m0000001.', 'Two m0000002.', 'Three m0000003.'];
const listed = (...texts: string[]): Listed[] =>
  texts.map((content, place) => ({ id: `chunk ${place}`, content, status: 'active' }));
const documentOf = (...texts: string[]) =>
  newDocument({
    name: 'document',
    kind: 'inline',
    id: 'id',
    tenantId: 'red',
    tenantUnitId: 'unit',
    datasets: [],
    content: contentOf(texts.join('\n\n')),
  });

test('each part of the source must be in a chunk, and no other text', () => {
  expect(takeChunks(documentOf(FIRST, SECOND), listed(FIRST, SECOND))).toBeUndefined();
  expect(takeChunks(documentOf(FIRST, SECOND), listed(FIRST))).toBe(
    '"m0000002" of its source is in no chunk',
  );
  expect(takeChunks(documentOf(FIRST), listed(FIRST, THIRD))).toBe(
    'chunk chunk 1 has "m0000003", which is not of its source',
  );
});

test('what stands on scanned pages may be left out, where the document warns of it', () => {
  const document = documentOf(FIRST, SECOND);
  document.content = createRegister({ ...contentOf(`${FIRST}\n\n${SECOND}`), scanned: ['m0000002'] });
  expect(takeChunks(document, listed(FIRST))).toBe('"m0000002" of its source is in no chunk');
  expect(takeChunks(document, listed(SECOND), { lacksScans: true })).toBe(
    '"m0000001" of its source is in no chunk',
  );
  expect(takeChunks(document, listed(FIRST), { lacksScans: true })).toBeUndefined();
});

test('an acknowledged edit, switch or deletion must show, one in doubt may', () => {
  const document = documentOf(FIRST, SECOND);
  takeChunks(document, listed(FIRST, SECOND));
  const [edited, deleted] = [...document.chunks.values()];
  edited?.content.change(THIRD);
  deleted?.state.change('gone').acknowledge();
  expect(takeChunks(document, listed(THIRD))).toBeUndefined();
  expect(takeChunks(document, listed(FIRST))).toBe('chunk chunk 0 has not the text that it was given');
  expect(takeChunks(document, listed(THIRD, SECOND))).toBe('chunk chunk 1 is active, and should be gone');
  edited?.state.change('inactive').acknowledge();
  expect(takeChunks(document, listed(THIRD))).toBe('chunk chunk 0 is active, and should be inactive');
});

test('of a change of the content in doubt both the old and the new text are right, but not a mixture', () => {
  const document = documentOf(FIRST);
  takeChunks(document, listed(FIRST));
  document.content.change(contentOf(`${SECOND}\n\n${THIRD}`));
  const renamed = listed(SECOND, THIRD).map((chunk, place) => ({ ...chunk, id: `new ${place}` }));
  expect(takeChunks(document, [...listed(FIRST), ...renamed])).toMatch(/not of its source/);
  expect(takeChunks(document, renamed)).toBeUndefined();
  expect([...document.chunks.keys()]).toEqual(['new 0', 'new 1']);
});
