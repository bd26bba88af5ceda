import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../db/schema.js';
import type { Random } from '../support/random.js';
import type { Findings } from './findings.js';
import { type Client, DATASET, TENANT_UNIT } from './fixtures.js';
import type { FuzzRequest, MakeRequest } from './fuzz-request.js';
import type { HostileFile } from './hostile-files.js';
import type { FuzzKeys } from './keys.js';
import type { KnownValues } from './sample-schema.js';
import { send } from './send.js';

const CALLERS = 8;
const FILES_AT_A_TIME = 4;
/** Of a hundred values in a request. */
const HOSTILITY = 12;
const PROCESSING_MINUTES = 30;
const PROGRESS_MS = 5_000;

export interface PhasesDependencies {
  address: string;
  client: Client;
  keys: FuzzKeys;
  db: Database;
  findings: Findings;
  random: Random;
}

/** The kinds of attack, one after another. */
export function createPhases({ address, client, keys, db, findings, random }: PhasesDependencies) {
  return { sendRequests, callPeers, upload };

  /** Requests for some operations, with hostile values here and there. */
  async function sendRequests(makers: MakeRequest[], count: number, known: KnownValues): Promise<void> {
    let left = count;
    const call = async () => {
      while (left > 0 && !findings.hasEnded()) {
        if (left-- % 1_000 === 0) progress(`${left + 1} requests left`);
        const request = random.oneOf(makers)({ random, known, hostility: HOSTILITY });
        const key = keys[random.weighted({ all: 8, bound: 2 })];
        await findings.answered(request, send(address, request, { 'X-Api-Key': key }));
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, call));
    await settle();
  }

  /** Documents and sitemaps at hostile web servers, which webhooks go to as well. */
  async function callPeers(urls: string[]): Promise<void> {
    for (const url of urls) {
      await client.webhooks.create
        .mutate({ scope: TENANT_UNIT, url, eventTypes: ['document.ready', 'document.failed'] })
        .catch(() => {}); // A tenant has only so many.
    }
    const documents = {
      scope: TENANT_UNIT,
      documentType: 'UnstructuredWebpage' as const,
      datasetIds: [DATASET],
    };
    await client.documents.createMany.mutate({ ...documents, urls });
    for (const url of urls) {
      const request: FuzzRequest = {
        name: `sitemap ${new URL(url).pathname}`,
        method: 'POST',
        route: '/trpc/documents.createMany',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...documents, sitemap: url }),
      };
      await findings.answered(request, send(address, request, { 'X-Api-Key': keys.all }));
    }
    await settle();
  }

  async function upload(files: HostileFile[]): Promise<void> {
    const waiting = [...files];
    const uploadRest = async () => {
      for (let file = waiting.shift(); file; file = waiting.shift()) {
        const request = toUpload(file);
        await findings.answered(request, send(address, request, { 'X-Api-Key': keys.all }));
      }
    };
    await Promise.all(Array.from({ length: FILES_AT_A_TIME }, uploadRest));
    await settle();
  }

  /** Waits until every document is processed, or for long enough. */
  async function settle(): Promise<void> {
    const deadline = performance.now() + PROCESSING_MINUTES * 60_000;
    for (;;) {
      const waiting = await db
        .selectFrom('documents')
        .select(['id', 'documentName', 'url', 'status'])
        .where('tenantId', '=', TENANT_UNIT.tenantId)
        .where('status', 'in', ['created', 'processing'])
        .where('source', '!=', 'none')
        .execute();
      if (waiting.length === 0 || findings.hasEnded()) return;
      if (performance.now() > deadline) {
        for (const one of waiting) findings.add(`not processed in time: ${JSON.stringify(one)}`);
        return;
      }
      progress(`${waiting.length} documents are under way`);
      await delay(PROGRESS_MS);
    }
  }
}

function toUpload({ name, bytes }: HostileFile): FuzzRequest {
  const form = new FormData();
  const fields = { ...TENANT_UNIT, documentType: 'UnstructuredFile', datasetIds: DATASET };
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new File([new Uint8Array(bytes)], name));
  const route = '/admin/api/v1/documents/upload';
  return { name: `file ${name}`, method: 'POST', route, headers: {}, body: form };
}

const progress = (line: string) => process.stderr.write(`${line}\n`);
