import { expect, test } from 'vitest';
import { toMcpConfig, toSnippet } from './snippets';

const search = {
  scope: { tenantId: 'acme', tenantUnitId: 'shop' },
  datasetIds: ['faq'],
  query: `Who pays "it's" 退货?`,
  topK: 5,
  language: 'english' as const,
};
const context = { origin: 'https://lectern.test', needsKey: true };

test('TypeScript uses the typed client', () => {
  expect(
    toSnippet('TypeScript', { ...search, mode: 'hybrid' }, context),
  ).toBe(`// How to install the client: https://lectern.test/docs/guide/how-to/call-from-a-program.html
import { createLectern } from 'lectern/client';

const lectern = createLectern({ url: "https://lectern.test", apiKey: process.env.LECTERN_KEY });
const hits = await lectern.trpc.chunks.search.query({
  scope: {
    tenantId: "acme",
    tenantUnitId: "shop"
  },
  datasetIds: [
    "faq"
  ],
  query: "Who pays \\"it's\\" 退货?",
  topK: 5,
  language: "english",
  mode: "hybrid"
});
for (const { score, content } of hits) console.log(score, content);
`);
});

test('Python writes what a filter has in its own words', () => {
  const filter = {
    type: 'and' as const,
    filters: [
      { type: 'eq' as const, key: 'public', value: true },
      { type: 'in' as const, key: 'said', value: ['"x": true', false] },
    ],
  };
  const snippet = toSnippet('Python', { ...search, filter }, context);
  expect(snippet).toContain('https://lectern.test/trpc/chunks.search');
  expect(snippet).toContain(`            "key": "public",
            "value": True
`);
  expect(snippet).toContain(`            "value": [
              "\\"x\\": true",
              False
            ]
`);
});

test.each(['curl', 'TypeScript', 'Python'] as const)(
  '%s names the key where one is needed alone',
  (language) => {
    expect(toSnippet(language, search, context)).toContain('LECTERN_KEY');
    expect(toSnippet(language, search, { ...context, needsKey: false })).not.toContain('LECTERN_KEY');
  },
);

test.each(['curl', 'TypeScript', 'Python'] as const)('%s has a key that was just made', (language) => {
  const snippet = toSnippet(language, search, { ...context, key: 'lectern_made' });
  expect(snippet).toContain('lectern_made');
  expect(snippet).not.toMatch(/LECTERN_KEY|import os/);
});

test('MCP names the tenant where no key does', () => {
  const urlOf = (needsKey: boolean) =>
    JSON.parse(toMcpConfig({ tenantId: 'a & b' }, { ...context, needsKey })).mcpServers.lectern.url;
  expect(urlOf(false)).toBe('https://lectern.test/mcp?tenantId=a%20%26%20b');
  expect(urlOf(true)).toBe('https://lectern.test/mcp');
});
