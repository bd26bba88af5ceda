import { sendRaw } from '../../contract/raw-request.js';
import { waitFor } from '../wait-for.js';

interface Reply {
  status: number;
  body: any;
}

export type Client = ReturnType<typeof createClient>;

/** Sends plain requests, to the double or to a real server. A key of null sends none. */
export function createClient(url: string, masterKey: string) {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    { key = masterKey, type = 'application/json' }: { key?: string | null; type?: string } = {},
  ): Promise<Reply> {
    const { status, body: answer } = await sendRaw(url, {
      method,
      target: path,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': type }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status, body: answer };
  }

  /** The task as it ended. */
  const settle = (uid: number): Promise<any> =>
    waitFor(
      async () => {
        const { body } = await send('GET', `/tasks/${uid}`);
        return body.status !== 'enqueued' && body.status !== 'processing' && body;
      },
      { what: `task ${uid} to end`, intervalMs: 5 },
    );

  return {
    send,
    settle,
    /** Sends what makes a task, and gives it as it ended. */
    async perform(...request: Parameters<typeof send>): Promise<any> {
      const { status, body } = await send(...request);
      if (body?.taskUid === undefined) throw new Error(`no task: ${status} ${JSON.stringify(body)}`);
      return settle(body.taskUid);
    },
  };
}
