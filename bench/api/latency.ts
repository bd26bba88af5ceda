import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../../src/cli/eval/quantile.js';
import { createHttpClient, type HttpClient } from '../search/http-client.js';
import { ingestFile } from './ingestion/upload.js';
import type { Comparison, Question } from './question.js';
import { withEmbeddedServer } from './support/with-embedded-server.js';

const FILE = path.resolve('test/samples/game-codex-619p.pdf');
const FILES = 4;
const PAUSE_MS = 5;
const IDLE_REQUESTS = 2_000;
const CONVERSATIONS = '/admin/api/v2/conversations?tenant_id=bench';

/** What other callers feel of four long PDFs. */
export const latency: Question = {
  name: 'latency',
  title: 'Requests while four PDFs of 619 pages are processed',
  measure: ({ log }) =>
    withEmbeddedServer(async (server) => {
      const http = createHttpClient(server.address);
      try {
        const { body } = await http.post(CONVERSATIONS, {});
        const one = `/admin/api/v2/conversations/${(body as { id: string }).id}?tenant_id=bench`;
        await ask(http, one, (asked) => asked < IDLE_REQUESTS);
        log('idle');
        const idle = await ask(http, one, (asked) => asked < IDLE_REQUESTS);
        log('processing');
        let isDone = false;
        const sample = { name: path.basename(FILE), path: FILE, size: 0 };
        const processing = Promise.all(
          Array.from({ length: FILES }, () => ingestFile(server.address, sample)),
        ).finally(() => {
          isDone = true;
        });
        const busy = await ask(http, one, () => !isDone);
        await processing;
        return [0.5, 0.95, 0.99].map((share) => compare(share, idle, busy));
      } finally {
        http.close();
      }
    }),
};

/** The milliseconds of each request. */
async function ask(http: HttpClient, address: string, isNext: (asked: number) => boolean): Promise<number[]> {
  const times: number[] = [];
  while (isNext(times.length)) {
    times.push((await http.get(address)).milliseconds);
    await delay(PAUSE_MS);
  }
  return times;
}

function compare(share: number, idle: number[], busy: number[]): Comparison {
  const [theirs, ours] = [quantile(idle, share), quantile(busy, share)];
  return {
    what: `GET of a conversation, p${share * 100}`,
    rival: 'the idle server',
    unit: 'ms',
    ours,
    theirs,
    ratio: ours / theirs,
    ...(share === 0.99 && { target: { atMost: 1.5 } }),
  };
}
