import { expect } from 'vitest';
import type { Answer } from '../../support/app.js';
import type { TestApp } from './rest-client.js';

const JSON_TYPE = { 'content-type': 'application/json' };

/** Calls `session.create` or `session.delete`. */
export const callSession = (
  app: Pick<TestApp, 'request'>,
  name: 'create' | 'delete',
  headers: Record<string, string>,
): Promise<Answer> => app.request('POST', `/trpc/session.${name}`, { headers: { ...JSON_TYPE, ...headers } });

/** Signs in, and gives what a page of the server then sends. */
export async function signIn(app: Pick<TestApp, 'request' | 'address'>, key: string) {
  const answer = await callSession(app, 'create', { 'x-api-key': key });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const [cookie = ''] = answer.headers.getSetCookie();
  return { cookie: cookie.split(';')[0] as string, origin: app.address };
}
