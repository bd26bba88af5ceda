import { beforeAll, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { type EndpointCase, type SampleRequest, titled, toRequest } from './endpoints.js';
import { createFixtures, type Fixtures, readState } from './fixtures.js';
import {
  bodySchemaOf,
  type Json,
  operationOf,
  type Parameter,
  parametersOf,
  resolve,
} from './openapi-document.js';

const app = useApp();
let records: Fixtures;
let document: Json;

beforeAll(async () => {
  records = await createFixtures(app);
  ({ body: document } = await app.get('/openapi.json'));
});

interface Fault {
  sample: SampleRequest;
  type: unknown;
  loc: (string | number)[];
}

const MISSING = 'missing';
const ANY = expect.stringMatching(/^value_error(\.[a-z_]+)?$/);

test.each(titled())('%s refuses each missing and each wrong field by its name', async (_, one) => {
  const sample = one.request(records);
  const operation = operationOf(document, one);
  const faults = [
    ...parametersOf(operation, 'query').flatMap((parameter) => faultsOfParameter(parameter, sample)),
    ...faultsOfBody(one, operation, sample),
  ];
  const before = await readState(app);
  for (const { sample: wrong, type, loc } of faults) {
    const answer = await app.request(...toRequest(one, wrong));
    const label = JSON.stringify([loc, wrong.query, wrong.body]);
    // An empty tenant also disagrees with the one in the body.
    const detail = answer.body.detail.filter(({ msg }: { msg: string }) => !msg.startsWith('must agree'));
    expect(Object.keys(answer.body), label).toEqual(['detail']);
    expect(detail.length, label).toBeGreaterThan(0);
    for (const entry of detail) expect(entry, label).toEqual({ type, loc, msg: expect.stringMatching(/./) });
    expect(answer.status, label).toBe(422);
  }
  expect(await readState(app)).toEqual(before);
});

test('a request without a body is one with a missing body, except to create a conversation', async () => {
  for (const [title, one] of titled()) {
    const { body, ...sample } = one.request(records);
    if (!body || one.isForm || one.number === 3) continue;
    const answer = await app.request(...toRequest(one, sample));
    expect(answer.body, title).toEqual({ detail: [{ type: MISSING, loc: ['body'], msg: 'Field required' }] });
    expect(answer.status).toBe(422);
  }
});

function faultsOfParameter(
  { name, required, schema, description }: Parameter,
  sample: SampleRequest,
): Fault[] {
  const put = (value: string | string[]) => ({ ...sample, query: { ...sample.query, [name]: value } });
  const wrong = (value: string | string[]): Fault => ({
    sample: put(value),
    type: ANY,
    loc: ['query', name],
  });
  const { [name]: _, ...others } = sample.query ?? {};
  const faults: Fault[] = [];
  if (required) faults.push({ sample: { ...sample, query: others }, type: MISSING, loc: ['query', name] });
  const kinds = kindsOf(schema);
  if (kinds.has('integer')) {
    faults.push(...['x', '', '1.5', '1e2', '0x1', ' 1', '0', '-1', '101.0e0', 'null', 'true'].map(wrong));
    faults.push(...['9007199254740992', '99999999999999999999', '1e400', 'Infinity'].map(wrong));
  }
  if (!kinds.has('array')) faults.push(wrong(['1', '1']));
  if (schema.enum) faults.push(wrong('nope'), wrong(''));
  if (required && !description?.startsWith('A JSON array')) faults.push(wrong(''));
  if (description?.startsWith('A JSON array')) {
    faults.push(...['', 'nope', '{"a":1}', '["a"', '7', 'null', '[1]', '[["a"]]'].map(wrong));
  }
  return faults;
}

function faultsOfBody(one: EndpointCase, operation: Json, sample: SampleRequest): Fault[] {
  const schema = bodySchemaOf(document, operation);
  const faults: Fault[] = [];
  for (const [name, field] of Object.entries<Json>(schema?.properties ?? {})) {
    const { [name]: _, ...others } = sample.body ?? {};
    if (schema.required?.includes(name)) {
      faults.push({ sample: { ...sample, body: others }, type: MISSING, loc: ['body', name] });
    }
    const values = one.isForm ? wrongFormValues(name, field) : wrongValues(field);
    for (const [value, ...inner] of values) {
      const wrong = { ...sample, body: { ...sample.body, [name]: value } };
      faults.push({ sample: wrong, type: ANY, loc: ['body', name, ...inner] });
    }
  }
  return faults;
}

type Wrong = [value: unknown, ...inner: number[]];

/** Values of each JSON type that a field does not take. */
function wrongValues(field: Json): Wrong[] {
  const kinds = kindsOf(field);
  const {
    items,
    enum: closed,
    format,
  } = flatten(field).find((one) => one.items || one.enum || one.format) ?? {};
  const wrong: Wrong[] = [];
  if (!kinds.has('null')) wrong.push([null]);
  if (!kinds.has('string') || closed || format) wrong.push(['nope'], ['']);
  if (!kinds.has('integer')) wrong.push([7], [0]);
  if (kinds.has('integer')) wrong.push(['7'], [1.5], [0], [-1], [2 ** 53]);
  if (!kinds.has('boolean')) wrong.push([true]);
  if (!kinds.has('object')) wrong.push([{}], [{ a: 1 }]);
  if (!kinds.has('array')) wrong.push([[]], [['x']]);
  if (items) wrong.push([[7], 0], [['a', null], 1], [[['a']], 0]);
  return wrong;
}

/** Form fields are text, so that only their content can be wrong, or their number. */
function wrongFormValues(name: string, field: Json): Wrong[] {
  if (name === 'file') return [['text'], [['text', 'more text']]];
  if (kindsOf(field).has('array')) return [['["a"'], ['[1]'], ['[["a"]]']];
  if (name === 'customProperties') return [['nope'], ['[]'], ['7'], ['null'], [['{}', '{}']]];
  return [[['a', 'a']], ...(flatten(field).some((one) => one.enum) ? ([['nope'], ['']] as Wrong[]) : [])];
}

const flatten = (schema: Json): Json[] => {
  const resolved = resolve(document, schema);
  return resolved.anyOf ? resolved.anyOf.flatMap(flatten) : [resolved];
};
const kindsOf = (schema: Json): Set<string> => new Set(flatten(schema).flatMap(({ type }) => type));
