/** Writes CPU profiles of the most frequent calls, which are shown as flame graphs. */

import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WARM_UP_REQUESTS } from '../api/support/compare-cpu.js';
import { indexChunks } from '../api/support/index-chunks.js';
import {
  getConversation,
  getConversationOverTrpc,
  getDocument,
  listConversations,
  listDocuments,
  searchChunks,
} from '../api/support/reads.js';
import { withServers } from '../api/support/with-servers.js';
import { createHttpClient, type HttpClient } from '../search/http-client.js';
import { namesIn } from '../support/names-in.js';
import { readOptions } from '../support/read-options.js';
import { selfTimes } from './self-times.js';

const RECORD_PROFILE = fileURLToPath(new URL('./record-profile.js', import.meta.url));

const CALLS: Record<string, (http: HttpClient, n: number) => Promise<unknown>> = {
  'conversation-get': getConversation,
  'conversation-list': listConversations,
  'document-get': getDocument,
  'document-list': listDocuments,
  trpc: getConversationOverTrpc,
  search: (http, n) =>
    searchChunks(http, ['returned goods', 'days of delivery', 'unused complete'][n % 3] as string),
};

const USAGE = `Usage: npm run bench -- profile [--only NAMES] [--requests N] [--lines N] [--out DIR] [--json]

Sends requests of a kind to the built service in open mode, on an embedded database with 5,000 conversations and documents,
writes a CPU profile of each kind, and prints the functions that took longest. DevTools of Chromium (Performance, Load profile)
and speedscope show a profile as a flame graph.

  --only NAMES  of the calls, separated by commas: ${Object.keys(CALLS).join(', ')}; default all
  --requests N  of each kind; default 3000
  --lines N     functions that are printed; default 25
  --out DIR     where NAME.cpuprofile is written; default data/profiles

Status 0 when all was measured, 1 after a failure, 2 when called wrongly.`;

const { only, requests, lines, out, json } = readOptions(
  USAGE,
  { only: '', requests: 3_000, lines: 25, out: 'data/profiles' },
  (given) => {
    const unknown = namesIn(given.only).filter((name) => !Object.hasOwn(CALLS, name));
    if (unknown.length > 0) throw new Error(`There is no call ${unknown.join(', ')}.`);
  },
);

await mkdir(out, { recursive: true });
await withServers(
  [],
  async ({ service, db }) => {
    await indexChunks(db, 200);
    const http = createHttpClient(service.address);
    const { process: server } = service;
    const results: Record<string, unknown> = {};
    for (const [name, send] of Object.entries(CALLS)) {
      if (only !== '' && !namesIn(only).includes(name)) continue;
      for (let n = 0; n < WARM_UP_REQUESTS; n++) await send(http, n);
      await ask('start profile');
      const before = await service.cpu();
      for (let n = 0; n < requests; n++) await send(http, n);
      const cpu = ((await service.cpu()) - before) / requests;
      const { profile } = (await ask('stop profile')) as { profile: Profiler.Profile };
      const file = path.join(out, `${name}.cpuprofile`);
      await writeFile(file, JSON.stringify(profile));
      const longest = selfTimes(profile, requests).slice(0, lines);
      results[name] = { file, cpuMicroseconds: cpu, longest };
      if (json) continue;
      const rows = longest.map(
        ({ what, microseconds }) => `${microseconds.toFixed(1).padStart(8)}  ${what}\n`,
      );
      process.stdout.write(
        `\n${name}: ${cpu.toFixed(0)} µs of CPU a request with the profiler, ${file}\n${rows.join('')}`,
      );
    }
    if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
    http.close();

    async function ask(message: string): Promise<unknown> {
      const answered = once(server, 'message');
      server.send(message);
      const [answer] = await answered;
      return answer;
    }
  },
  { preload: [RECORD_PROFILE] },
);
