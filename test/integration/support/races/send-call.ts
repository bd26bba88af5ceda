import { randomUUID } from 'node:crypto';
import type { TestApp } from '../rest-client.js';

export interface Called {
  status: number;
  /** What the procedure returned. */
  data: any;
  requestId: string;
  /** Of an error. */
  message: string | undefined;
}

/** Calls a procedure in a request of its own, whose id is in the audit log. */
export async function sendCall(
  app: TestApp,
  procedure: string,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<Called> {
  const requestId = randomUUID();
  const { status, body } = await app.request('POST', `/trpc/${procedure}`, {
    body: input,
    headers: { 'x-request-id': requestId, ...headers },
  });
  return { status, data: body?.result?.data, requestId, message: body?.error?.message };
}
