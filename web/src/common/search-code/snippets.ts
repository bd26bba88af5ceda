import type { Inputs } from '../../api/trpc';

type SearchInput = Inputs['search']['run'];

const REST = '/admin/api/v1/api/v1/documentChunks/search';

export const snippetLanguages = ['curl', 'TypeScript', 'Python'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

interface SnippetContext {
  /** Address of the server. */
  origin: string;
  /** Without a key at hand it is read from the environment: it stands nowhere in the code. */
  needsKey: boolean;
  /** One that was just made. */
  key?: string | undefined;
}

/** The same search as code. The REST API takes the mode from the configuration, and has neither filters nor neighbours; tRPC has all of them. */
export function toSnippet(language: SnippetLanguage, search: SearchInput, context: SnippetContext): string {
  return { curl: toCurl, TypeScript: toTypeScript, Python: toPython }[language](search, context);
}

function toCurl(search: SearchInput, { origin, needsKey, key: made }: SnippetContext): string {
  const key = needsKey ? ` \\\n  -H "x-api-key: ${made ?? '$LECTERN_KEY'}"` : '';
  if (needsTrpc(search)) {
    const url = quote(`${origin}/trpc/chunks.search`);
    return `curl -sG ${url}${key} \\\n  --data-urlencode ${quote(`input=${JSON.stringify(search)}`)}`;
  }
  const url = quote(`${origin}${REST}?tenantId=${encodeURIComponent(search.scope.tenantId)}`);
  const body = quote(JSON.stringify(restBody(search)));
  return `curl -s ${url}${key} \\\n  -H 'content-type: application/json' \\\n  -d ${body}`;
}

function toTypeScript(search: SearchInput, { origin, needsKey, key }: SnippetContext): string {
  const apiKey = key === undefined ? 'process.env.LECTERN_KEY' : JSON.stringify(key);
  const options = [`url: ${JSON.stringify(origin)}`, needsKey && `apiKey: ${apiKey}`];
  return `// How to install the client: ${origin}/docs/guide/how-to/call-from-a-program.html
import { createLectern } from 'lectern/client';

const lectern = createLectern({ ${options.filter(Boolean).join(', ')} });
const hits = await lectern.trpc.chunks.search.query(${withPlainNames(literal(search))});
for (const { score, content } of hits) console.log(score, content);
`;
}

function toPython(search: SearchInput, { origin, needsKey, key: made }: SnippetContext): string {
  const value = made === undefined ? 'os.environ["LECTERN_KEY"]' : JSON.stringify(made);
  const key = needsKey ? `\n    headers={"X-Api-Key": ${value}},` : '';
  const isTrpc = needsTrpc(search);
  const call = isTrpc
    ? `requests.get(
    ${JSON.stringify(`${origin}/trpc/chunks.search`)},${key}
    params={"input": json.dumps(${indent(pythonLiteral(search))})},`
    : `requests.post(
    ${JSON.stringify(origin + REST)},${key}
    params={"tenantId": ${JSON.stringify(search.scope.tenantId)}},
    json=${indent(literal(restBody(search)))},`;
  const imports = [isTrpc && 'import json', needsKey && made === undefined && 'import os'].filter(Boolean);
  return `${imports.map((line) => `${line}\n`).join('')}${imports.length > 0 ? '\n' : ''}import requests

answer = ${call}
    timeout=30,
)
answer.raise_for_status()
for hit in answer.json()${isTrpc ? '["result"]["data"]' : ''}:
    print(hit["score"], hit["content"])
`;
}

/** What clients of MCP read to connect to the server. A key names the tenant; without one, the address does. */
export const toMcpConfig = (
  { tenantId }: { tenantId: string },
  { origin, needsKey, key = 'YOUR_KEY' }: SnippetContext,
): string =>
  literal({
    mcpServers: {
      lectern: {
        type: 'http',
        url: `${origin}/mcp${needsKey ? '' : `?tenantId=${encodeURIComponent(tenantId)}`}`,
        ...(needsKey && { headers: { Authorization: `Bearer ${key}` } }),
      },
    },
  });

const needsTrpc = ({ mode, filter, context }: SearchInput) =>
  mode !== undefined || filter !== undefined || context !== undefined;

const restBody = ({ scope, datasetIds, query, topK, language }: SearchInput) => ({
  tenant_id: scope.tenantId,
  tenant_unit_id: scope.tenantUnitId,
  dataset_ids: datasetIds,
  query,
  top_k: topK,
  language,
});

/** Texts, numbers, lists and objects are written in JSON as they are in TypeScript and in Python. */
const literal = (value: object) => JSON.stringify(value, null, 2);

/** Texts are in one line. */
const pythonLiteral = (value: object) =>
  literal(value).replace(
    /^( *(?:"(?:[^"\\]|\\.)*": )?)(true|false|null)(?=,?$)/gm,
    (_, before: string, word: string) => before + PYTHON_WORDS[word],
  );

const PYTHON_WORDS: Record<string, string> = { true: 'True', false: 'False', null: 'None' };

/** As TypeScript is usually written; texts are in one line, so that only names stand at the beginning of one. */
const withPlainNames = (json: string) => json.replace(/^( *)"(\w+)":/gm, '$1$2:');

const indent = (text: string) => text.replaceAll('\n', '\n    ');

/** In single quotes, where a shell reads nothing but the next single quote. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
