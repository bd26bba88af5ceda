import { describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { createFixtures, dump, type Fixtures } from './matrix/fixtures.js';
import {
  anonymise,
  downloads,
  endpoints,
  integrations,
  type Operation,
  procedures,
  send,
  tools,
} from './matrix/operations.js';
import { MCP, OWN_UNIT, type RequestFor, type Target, TRPC, WITHOUT_TENANT } from './matrix/requests.js';

/*
 * Every operation, asked for what belongs to someone else, must answer as it does for what does not exist: byte
 * by byte, once the ids are taken out. Both lists of operations are read from the routers, so a new operation
 * fails here until it has a row.
 */

/** Whose rows must stay as they are, what is asked for, and what the same request is for unknown ids. */
interface Attempt {
  victim: string;
  asked: Target;
  unknown: Target;
}

const AXES: Record<string, { uses: keyof Target; attempt: (world: Fixtures) => Attempt }> = {
  'a foreign tenant': {
    uses: 'tenant',
    attempt: ({ own, neighbour, unknown }) => ({
      victim: own.tenant,
      asked: { ...own, tenant: neighbour.tenant },
      unknown,
    }),
  },
  'a foreign unit': {
    uses: 'unit',
    attempt: ({ own, unknown }) => ({
      victim: own.tenant,
      // An id is the tenant's own: without a key bound to units, a taken one is no secret between them.
      asked: { ...own, unit: 'unit-two', chosenId: undefined },
      unknown: { ...unknown, tenant: own.tenant, unit: 'unit-two', chosenId: undefined },
    }),
  },
  'a foreign conversation': one('conversation', ['conversation']),
  'a foreign message': one('message', ['message']),
  'a foreign conversation with its message': one('conversation', ['conversation', 'message']),
  'a foreign label': one('label', ['label']),
  'a foreign retention rule': one('retentionRule', ['retentionRule']),
  'a foreign erasure': one('erasure', ['erasure']),
  'a foreign member': one('member', ['member']),
  'a foreign document': one('document', ['document', 'chunk']),
  "a foreign document with the caller's chunk": one('document', ['document']),
  'a foreign dataset': one('dataset', ['dataset']),
  'a foreign id for a new document': one('chosenId', ['chosenId']),
  'a foreign external id': one('externalId', ['externalId']),
  'a foreign webhook': one('webhook', ['webhook', 'delivery']),
  'a foreign delivery': one('delivery', ['delivery']),
  'a foreign API key': one('apiKey', ['apiKey']),
  'a foreign question': one('question', ['question']),
  'a foreign chunk': one('chunk', ['chunk']),
  'a chunk of another document': {
    uses: 'chunk',
    attempt: ({ own, sibling, unknown }) => ({
      victim: own.tenant,
      asked: { ...own, chunk: sibling.chunk },
      unknown: { ...own, chunk: unknown.chunk },
    }),
  },
};

/** Some of the foreign tenant's ids, under the caller's own tenant and unit. */
function one(uses: keyof Target, taken: (keyof Target)[]) {
  const swap = (base: Target, from: Target) =>
    ({ ...base, ...Object.fromEntries(taken.map((key) => [key, from[key]])) }) as Target;
  return {
    uses,
    attempt: ({ own, foreign, unknown }: Fixtures): Attempt => ({
      victim: foreign.tenant,
      asked: swap(own, foreign),
      unknown: swap(own, unknown),
    }),
  };
}

const app = useApp();

describe('REST', () => {
  test('every endpoint has a row', () => {
    expect(endpoints.filter(({ row }) => row === undefined)).toEqual([]);
    expect(endpoints).toHaveLength(22);
  });

  for (const operation of endpoints) {
    test.each(axesFor(operation.row))(`${operation.title}: %s`, (_, attempt) =>
      expectSameAsUnknown(attempt, operation),
    );
  }
});

describe('tRPC', () => {
  test('every procedure has a row', () => {
    const names = procedures.map(({ name }) => name).sort();
    expect([...Object.keys(TRPC), ...WITHOUT_TENANT].sort()).toEqual(names);
  });

  for (const operation of procedures) {
    test.each(axesFor(operation.row))(`${operation.title}: %s`, (_, attempt) =>
      expectSameAsUnknown(attempt, operation),
    );
  }
});

describe('downloads', () => {
  for (const operation of downloads) {
    test.each(axesFor(operation.row))(`${operation.title}: %s`, (_, attempt) =>
      expectSameAsUnknown(attempt, operation),
    );
  }
});

describe('integrations', () => {
  for (const operation of integrations) {
    test.each(axesFor(operation.row))(`${operation.title}: %s`, (_, attempt) =>
      expectSameAsUnknown(attempt, operation),
    );
  }
});

describe('MCP', () => {
  test('every tool has a row', () => {
    expect(Object.keys(MCP).sort()).toEqual(tools.map(({ title }) => title).sort());
  });

  for (const operation of tools) {
    test.each(axesFor(operation.row))(`${operation.title}: %s`, (_, attempt) =>
      expectSameAsUnknown(attempt, operation),
    );
  }

  test('own documents and conversations are read', async () => {
    const { own } = await createFixtures(app.db);
    for (const operation of tools) {
      const { status, body } = await ask(operation, own);
      expect([operation.title, status, body.includes('"isError":true')]).toEqual([
        operation.title,
        200,
        false,
      ]);
    }
  });
});

test('the matrix tells an answer with something in it from one without', async () => {
  const { own, unknown } = await createFixtures(app.db);
  const search = endpoints.find(({ name }) => name === 'chunks.search') as Operation;
  const [seen, unseen] = await Promise.all([own, unknown].map((target) => ask(search, target)));
  expect(seen?.body).toContain('secret recipe');
  expect(unseen).toMatchObject({ status: 200, body: '[]' });
});

/** The axes whose name a row uses, found by building the row with names that can be looked for. */
function axesFor<T>(row: RequestFor<T> | undefined): [string, (world: Fixtures) => Attempt][] {
  if (!row) return [];
  const names = [
    ...([
      'tenant',
      'unit',
      'conversation',
      'message',
      'document',
      'dataset',
      'chosenId',
      'chunk',
      'externalId',
      'webhook',
      'delivery',
      'apiKey',
      'question',
      'label',
      'retentionRule',
      'erasure',
      'member',
    ] as const),
  ];
  const marks = Object.fromEntries(names.map((name) => [name, `<${name}>`])) as unknown as Target;
  const used = [marks, { ...marks, unit: OWN_UNIT }].map((target) => JSON.stringify(row(target))).join();
  return Object.entries(AXES)
    .filter(([, { uses }]) => used.includes(JSON.stringify(marks[uses]).slice(1, -1)))
    .map(([name, { attempt }]) => [name, attempt]);
}

async function expectSameAsUnknown(
  attempt: (world: Fixtures) => Attempt,
  operation: Operation,
): Promise<void> {
  const { victim, asked, unknown } = attempt(await createFixtures(app.db));
  const before = await dump(app.db, victim);
  const given = anonymise(await ask(operation, asked), asked);
  const expected = anonymise(await ask(operation, unknown), unknown);
  expect(given).toEqual(expected);
  // What is new there is what an unknown id leads to as well: nothing of the rows that were there may differ.
  expect(await dump(app.db, victim)).toEqual(expect.objectContaining(before));
}

const ask = ({ row, toRequest }: Operation, target: Target) =>
  send(app.address, toRequest((row as RequestFor<object>)(target)));
