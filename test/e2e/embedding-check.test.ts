import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createRestClient, TENANT_UNIT } from '../integration/support/rest-client.js';
import { startBeside } from '../integration/support/start-beside.js';
import { useApp } from '../support/app.js';
import { embeddingConfig, startEmbeddingServer } from '../support/embedding-server.js';
import type { Fault } from '../support/json-server.js';
import { findDatabaseUrl, runCommand, runForJson } from '../support/run-command.js';
import { waitFor } from '../support/wait-for.js';

/* What a server with embeddings says of their endpoint when it starts. */

const endpoint = await startEmbeddingServer();
const closed = await startEmbeddingServer();
await closed.close();
afterAll(() => endpoint.close());
afterEach(() => {
  Object.assign(endpoint.state, { fault: undefined, distort: undefined });
});

const app = useApp({ embedding: embeddingConfig({ url: endpoint.url, model: 'words' }) });
const rest = createRestClient(app);

const refusal = (status: number, message: string) => (): Fault => ({
  status,
  body: JSON.stringify({ error: { message } }),
});
const CHECK_URL = 'Check EMBEDDING_URL, and whether the endpoint runs.';

interface Case {
  what: string;
  url?: string;
  dimensions?: number;
  fault?: () => Fault;
  distort?: (answer: any) => unknown;
  reason: string;
}

const cases: Case[] = [
  {
    what: 'cannot be reached',
    url: closed.url,
    reason: `The embedding endpoint does not answer: connect ECONNREFUSED ${new URL(closed.url).host}. ${CHECK_URL}`,
  },
  {
    what: 'knows no such key',
    fault: refusal(401, 'Incorrect API key provided.'),
    reason:
      'The embedding endpoint answered 401: it refuses the key, or asks for one. Check EMBEDDING_API_KEY.',
  },
  {
    what: 'refuses the key',
    fault: refusal(403, 'No access.'),
    reason:
      'The embedding endpoint answered 403: it refuses the key, or asks for one. Check EMBEDDING_API_KEY.',
  },
  {
    what: 'knows no such model',
    fault: refusal(404, 'The model `words` does not exist.'),
    reason:
      'The embedding endpoint answered 404: it has no such model or address. Check EMBEDDING_MODEL, and that EMBEDDING_URL is the address of the API, which mostly ends with /v1.',
  },
  {
    what: 'cannot give the dimensions',
    fault: refusal(400, 'This model does not support specifying dimensions.'),
    dimensions: 32,
    reason:
      'The embedding endpoint answered 400: it refuses the request. Check EMBEDDING_MODEL and EMBEDDING_DIMENSIONS.',
  },
  {
    what: 'limits the account',
    fault: refusal(429, 'You exceeded your current quota.'),
    reason: 'The embedding endpoint answered 429: too many requests. Check the limits of the account.',
  },
  {
    what: 'fails',
    fault: () => ({ status: 503, body: '<html>' }),
    reason: `The embedding endpoint answered 503: it fails. ${CHECK_URL}`,
  },
  {
    what: 'gives other dimensions than are configured',
    dimensions: 32,
    reason:
      'The embedding endpoint gives vectors of 64 dimensions, not of 32. Set EMBEDDING_DIMENSIONS to what the model can give, or leave it out.',
  },
  {
    what: 'gives other dimensions than are stored',
    distort: (answer) => ({ data: answer.data.map(() => ({ embedding: [1, 2, 3] })) }),
    reason:
      'words has given vectors of 64 dimensions, and gives 3 now. Rebuild them: lectern search embed --rebuild',
  },
  {
    what: 'is something else',
    distort: () => ({ hello: 'world' }),
    reason: `The embedding endpoint's answer cannot be used: not the answer of an embedding endpoint. ${CHECK_URL}`,
  },
];

test('nothing is said of an endpoint that embeds', async () => {
  await rest.createDocument({ documentContent: 'Herons stand in the water.' }, ['faq']);
  const { app: started, logged } = await startBeside(app, {
    role: 'api',
    embedding: embeddingConfig({ url: endpoint.url, model: 'words' }),
  });
  await waitFor(() => endpoint.texts().includes('?'), { what: 'the check' });
  await started.close();
  expect(logged).toEqual([]);
  await waitFor(
    async () => (await rest.askSearch('herons in the water')).headers.get('x-search-mode') === 'hybrid',
    {
      what: 'searches by meaning',
    },
  );
});

describe.each(cases)(
  'an endpoint that $what',
  ({ url = endpoint.url, dimensions, fault, distort, reason }) => {
    test.each(['api', 'worker'] as const)(
      'is reported by the role %s, which starts nevertheless',
      async (role) => {
        Object.assign(endpoint.state, { fault, distort });
        const embedding = embeddingConfig({ url, model: 'words', dimensions });
        const { app: started, address, logged } = await startBeside(app, { role, embedding });
        expect((await fetch(`${address}/readyz`)).status).toBe(200);
        const reports = () => logged.filter(({ msg }) => msg === 'the embedding endpoint cannot be used');
        await waitFor(() => reports().length > 0, { what: 'the report' });
        await started.close();
        expect(reports()).toMatchObject([{ level: 40, reason }]);
      },
    );
  },
);

test('a server does not wait for an endpoint that does not answer, neither to start nor to stop', async () => {
  endpoint.state.fault = () => 'hang';
  const embedding = embeddingConfig({ url: endpoint.url, model: 'words' });
  const { app: started, address, logged } = await startBeside(app, { role: 'api', embedding });
  expect((await fetch(`${address}/readyz`)).status).toBe(200);
  await started.close();
  expect(logged).toEqual([]);
});

/** What the commands say of an endpoint that answers 401. */
const REFUSED =
  'The embedding endpoint answered 401: it refuses the key, or asks for one. Check EMBEDDING_API_KEY.';
const commandEnv = async () => ({
  DATABASE_URL: await findDatabaseUrl(app.db),
  EMBEDDING_URL: endpoint.url,
  EMBEDDING_MODEL: 'words',
});

test('the command shows the same, to programs and people', async () => {
  endpoint.state.fault = refusal(401, 'Incorrect API key provided.');
  const env = await commandEnv();
  expect(await runForJson('embed', ['--status'], env)).toEqual({
    status: 1,
    json: {
      embedding: {
        model: 'words',
        url: endpoint.url,
        dimensions: 64,
        scripts: ['Latin'],
        filled: true,
        next: null,
        waiting: 0,
        failed: 0,
        errors: [],
        texts: 1,
        tokens: 5,
      },
      failure: REFUSED,
    },
  });
  const { status, stdout } = await runCommand('embed', ['--status'], env);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^ {2}embeddings +words at .*, 64 dimensions$/m);
  expect(stdout.split('\n')).toContain(`  failure     ${REFUSED}`);
  expect(await runCommand('embed', ['--rebuild'], env)).toEqual({
    status: 1,
    stdout: '',
    stderr: `${REFUSED}\n`,
  });
});

test('the commands say in a sentence why words answered', async () => {
  endpoint.state.fault = refusal(401, 'Incorrect API key provided.');
  const env = {
    ...(await commandEnv()),
    EMBEDDING_SEARCH_TIMEOUT_MS: '60000',
  };
  const { tenantId, tenantUnitId } = TENANT_UNIT;
  const ask = (question: string) => [
    question,
    '--tenant',
    tenantId,
    '--unit',
    tenantUnitId,
    '--dataset',
    'faq',
  ];
  const { status, stdout, stderr } = await runCommand('query', ask('herons'), env);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.split('\n')[0]).toBe(`Answered by words alone: ${REFUSED}`);
  const { json } = await runForJson('query', ask('蒼鷺在哪裡'), env);
  expect(json.notes).toEqual(['Answered by words alone: words does not know the script of the question.']);
  const shown = await runCommand('status', [], env);
  expect(shown.stdout.trimEnd().split('\n').at(-1)).toBe(`Questions are answered by words alone: ${REFUSED}`);
  endpoint.state.fault = undefined;
  expect((await runForJson('query', ask('herons'), env)).json).toMatchObject({ mode: 'hybrid', notes: [] });
  expect((await runForJson('status', [], env)).json.questions).toBeNull();
});
