import { forEachOpenApiProcedure } from 'trpc-to-openapi';
import { describe, expect, test } from 'vitest';
import { restRouter } from '../../src/rest-facade/index.js';
import { useApp } from '../support/app.js';
import { endpoints, titled, toRequest } from './endpoints.js';
import { createFixtures } from './fixtures.js';

const app = useApp();

test('the table, the facade and the published document name the same 22 endpoints', async () => {
  const pairs = endpoints.map(({ method, path }) => `${method} ${path}`).sort();
  expect(endpoints.map(({ number }) => number)).toEqual(Array.from({ length: 22 }, (_, place) => place + 1));
  expect(new Set(pairs).size).toBe(22);

  const served: string[] = [];
  forEachOpenApiProcedure(restRouter._def.procedures, ({ meta: { openapi } }) => {
    served.push(`${openapi.method} ${openapi.path}`);
  });
  expect(served.sort()).toEqual(pairs);

  const { body: document } = await app.get('/openapi.json');
  const published = Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(published.sort()).toEqual(pairs);
});

describe('each endpoint answers exactly what is documented', () => {
  test.each(titled())('%s', async (_, one) => {
    const records = await createFixtures(app);
    const answer = await app.request(...toRequest(one, one.request(records)));
    expect(answer.body).toEqual(one.answer(records));
    expect(answer.status).toBe(one.status);
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(answer.headers.get('content-type')).toBe(
      one.status === 204 ? null : 'application/json; charset=utf-8',
    );
  });

  test.each(titled(endpoints.filter(({ method }) => method === 'GET')))('HEAD as %s', async (_, one) => {
    const records = await createFixtures(app);
    const [method, path, options] = toRequest(one, one.request(records));
    const [got, head] = [await app.request(method, path, options), await app.request('HEAD', path, options)];
    expect(head.status).toBe(one.status);
    expect(head.body).toBeUndefined();
    expect(head.headers.get('content-length')).toBe(got.headers.get('content-length'));
  });
});

describe('what no endpoint serves', () => {
  const allowed = new Map<string, string[]>();
  for (const { path, method } of endpoints) allowed.set(path, [...(allowed.get(path) ?? []), method]);

  test.each([...allowed])('405 on %s, with Allow', async (path, methods) => {
    // A fixed path such as byIds also fits the pattern of its neighbours.
    const served =
      path.endsWith('/byIds') || path.endsWith('/upload') ? ['GET', 'PATCH', 'DELETE', 'POST'] : methods;
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (served.includes(method)) continue;
      const answer = await app.request(method, path.replace(/\{\w+\}/g, 'x'));
      expect(answer.body, method).toEqual({
        detail: [{ type: 'method_not_allowed', loc: ['path'], msg: `${method} is not allowed here.` }],
      });
      expect(answer.status).toBe(405);
      const allow = answer.headers.get('allow')?.split(', ');
      expect(allow).toEqual(expect.arrayContaining(methods));
      expect(allow).not.toContain(method);
      expect(allow?.includes('HEAD')).toBe(methods.includes('GET'));
    }
  });

  test.each([
    '/nothing',
    '/admin/api/v2',
    '/admin/api/v2/Conversations',
    '/admin/api/v1/api/v1/documents',
    '/admin/api/v1/documents/x/documentChunks/',
    '/admin/api/v1/documentChunks/search',
    '/admin/api/v1/documents/byExternalId/x',
  ])('404 on %s', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await app.request(method, path);
      expect(answer.body).toEqual({ detail: [{ type: 'not_found', loc: ['path'], msg: 'No such path.' }] });
      expect(answer.status).toBe(404);
    }
  });
});

describe('X-Request-Id', () => {
  test('comes back as it was sent', async () => {
    for (const path of ['/admin/api/v2/conversations', '/nothing', '/healthz', '/openapi.json']) {
      const { headers } = await app.request('GET', path, { headers: { 'x-request-id': 'a.b_c-1' } });
      expect(headers.get('x-request-id')).toBe('a.b_c-1');
    }
  });

  test.each(['', 'a b', 'é', 'x'.repeat(129), '<script>'])('is made anew in place of %j', async (given) => {
    const { headers } = await app.request('GET', '/nothing', { headers: { 'x-request-id': given } });
    expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  });

  test('differs from request to request', async () => {
    const [one, other] = [await app.get('/nothing'), await app.get('/nothing')];
    expect(one.headers.get('x-request-id')).not.toBe(other.headers.get('x-request-id'));
  });
});
