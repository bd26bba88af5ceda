import { beforeAll, describe, expect, test } from 'vitest';
import type { NewApiKey } from '../../src/services/api-keys/api-keys.schema.js';
import { useApp } from '../support/app.js';
import { createFixtures, dump, type Fixtures, STORED } from './matrix/fixtures.js';
import { anonymise, type RawAnswer, type RawRequest, send } from './matrix/operations.js';
import { OWN_UNIT } from './matrix/requests.js';

/*
 * Every request of every integration, with keys that must not do, answers as for what does not exist: byte by byte, once
 * the ids are taken out.
 */

interface Place {
  tenant?: string | undefined;
  unit: string;
  dataset: string;
}

const QUERY = 'secret recipe';
const STORES = '/integrations/openai/v1/vector_stores';
const at = (path: string, { tenant }: Place) => (tenant === undefined ? path : `${path}?tenantId=${tenant}`);
/** Names of fixtures have letters, digits and hyphens alone. */
const storeOf = ({ unit, dataset }: Place) => `${STORES}/vs_${unit}.${dataset}`;

const REQUESTS: Record<string, (place: Place) => RawRequest> = {
  'Dify: retrieval': (place) => ({
    method: 'POST',
    route: at('/integrations/dify/retrieval', place),
    body: { knowledge_id: `${place.unit}/${place.dataset}`, query: QUERY, retrieval_setting: {} },
  }),
  'OpenAI: list': (place) => ({ method: 'GET', route: at(STORES, place) }),
  'OpenAI: retrieve': (place) => ({ method: 'GET', route: at(storeOf(place), place) }),
  'OpenAI: search': (place) => ({
    method: 'POST',
    route: at(`${storeOf(place)}/search`, place),
    body: { query: QUERY },
  }),
};
const requests = Object.entries(REQUESTS);
/** Those that name a dataset, and those that answer stored text. */
const naming = requests.filter(([name]) => name !== 'OpenAI: list');
const searches = naming.filter(([name]) => name !== 'OpenAI: retrieve');

const app = useApp({ authMode: 'required' });
let world: Fixtures;
let initial: Record<string, unknown>;

beforeAll(async () => {
  world = await createFixtures(app.db);
  initial = await dump(app.db, world.own.tenant);
});

const makeKey = async (fields: Partial<NewApiKey>) =>
  (await app.makeKey({ scopes: ['search'], ...fields })).key;
const ask = async (request: RawRequest, key: string, names: Place[]): Promise<RawAnswer> => {
  const answer = await send(app.address, request, { authorization: `Bearer ${key}` });
  return anonymise(answer, ...(names as never[]));
};

/** Asks for what is there and for what is not, and expects the same. */
async function expectSame(name: string, key: string, asked: Place, unknown: Place): Promise<RawAnswer> {
  const request = REQUESTS[name] as (place: Place) => RawRequest;
  const names = [asked, unknown].map(({ unit, dataset }) => ({ unit, dataset }));
  const [given, expected] = [await ask(request(asked), key, names), await ask(request(unknown), key, names)];
  expect(given).toEqual(expected);
  expect(JSON.stringify(given)).not.toContain(STORED.document);
  expect(await dump(app.db, world.own.tenant)).toEqual(expect.objectContaining(initial));
  return given;
}

const FOUND = { unit: OWN_UNIT, dataset: 'faq' };

describe.each(requests)('%s', (_, request) => {
  test('with the right key, for comparison', async () => {
    const { tenant } = world.own;
    const key = await makeKey({ scope: { tenantId: tenant, tenantUnitId: OWN_UNIT }, datasetIds: ['faq'] });
    const { status, body } = await ask(request(FOUND), key, []);
    expect([status, /unit-own/.test(body)]).toEqual([200, true]);
  });

  test('without a key, and with one of nobody', async () => {
    const [none, wrong] = [
      await send(app.address, request(FOUND)),
      await ask(request(FOUND), 'lectern_no', []),
    ];
    const isDify = none.body.includes('error_code');
    expect([none.status, wrong.status]).toEqual(isDify ? [403, 403] : [401, 401]);
    expect(none.headers['www-authenticate']).toBe('Bearer realm="Lectern"');
  });

  test("with another tenant's key, naming this tenant", async () => {
    const key = await makeKey({ scope: { tenantId: world.neighbour.tenant } });
    const { tenant } = world.own;
    const { status, body } = await ask(request({ ...FOUND, tenant }), key, []);
    expect([status, body.includes('This API key belongs to another tenant.')]).toEqual([403, true]);
  });
});

test.each(naming)("%s: with another tenant's key", async (name) => {
  const key = await makeKey({ scope: { tenantId: world.neighbour.tenant } });
  const { status } = await expectSame(name, key, FOUND, { unit: 'nowhere', dataset: 'nothing' });
  expect(status).toBe(404);
});

test.each(naming)("%s: with another unit's key", async (name) => {
  const key = await makeKey({ scope: { tenantId: world.own.tenant, tenantUnitId: 'unit-two' } });
  const { status } = await expectSame(name, key, FOUND, { unit: 'nowhere', dataset: 'nothing' });
  expect(status).toBe(404);
});

test.each(naming)("%s: with another dataset's key", async (name) => {
  const scope = { tenantId: world.own.tenant, tenantUnitId: OWN_UNIT };
  const key = await makeKey({ scope, datasetIds: ['other'] });
  const { status } = await expectSame(name, key, FOUND, { unit: OWN_UNIT, dataset: 'nothing' });
  expect(status).toBe(404);
});

test.each(searches)('%s: with a key that lacks the permission', async (name) => {
  const key = await makeKey({ scope: { tenantId: world.own.tenant }, scopes: ['documents:read'] });
  const { status } = await expectSame(name, key, FOUND, { unit: 'nowhere', dataset: 'nothing' });
  expect(status).toBe(403);
});

test('the list has only what a key may read', async () => {
  const list = async (fields: Partial<NewApiKey>) => {
    const { body } = await ask({ method: 'GET', route: STORES }, await makeKey(fields), []);
    return JSON.parse(body).data?.map(({ id }: { id: string }) => id);
  };
  const { tenant } = world.own;
  expect(await list({ scope: { tenantId: tenant } })).toEqual(['vs_unit-own.faq']);
  expect(await list({ scope: { tenantId: tenant, tenantUnitId: 'unit-two' } })).toEqual([]);
  expect(await list({ scope: { tenantId: world.neighbour.tenant } })).toEqual(['vs_unit-elsewhere.faq']);
  expect(await list({ scope: { tenantId: tenant }, scopes: ['conversations:read'] })).toBeUndefined();
});

describe('during an outage of the database', () => {
  const fallen = useApp();
  beforeAll(() => fallen.destroy());
  const message = expect.stringMatching(/try again/);
  const ofOpenAi = { error: { message, type: 'server_error', param: null, code: 'unavailable' } };

  test.each(requests)('%s answers 503 in its form, with Retry-After', async (name, request) => {
    const { method, route, body } = request({ ...FOUND, tenant: 'acme' });
    const answer = await fallen.request(method, route, { body });
    expect([answer.status, answer.headers.get('retry-after'), answer.body]).toEqual([
      503,
      '2',
      name.startsWith('Dify') ? { error_code: 503, error_msg: message } : ofOpenAi,
    ]);
  });
});
