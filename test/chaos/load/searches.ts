import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../bench/support/random.js';
import { markersOf } from '../model/content.js';
import type { ChunkModel, DocumentModel } from '../model/documents.js';
import { findFault, type Hit, isSearchable } from '../model/find-fault.js';
import type { Model } from '../model/model.js';
import { DATASETS, UNITS } from './documents.js';
import type { Traffic } from './traffic.js';

const SEARCH = '/admin/api/v1/api/v1/documentChunks/search';
const PAUSE_MS = 150;
const TOP_K = 20;

export interface Searches {
  /** Answered, refused by 503, without a connection; hits, each of which was compared. */
  counts: { answered: number; unavailable: number; noConnection: number; hits: number };
  run(isOver: () => boolean): Promise<void>;
  /** Looks for every chunk, or that many: each that should be found must be, and no other. */
  check(most: number): Promise<{ found: number; absent: number }>;
}

interface SearchesOptions {
  model: Model;
  traffic: Traffic;
  /** A key of each tenant. */
  keys: Map<string, string>;
  random: Random;
}

/** Searches whose every hit is compared with what is known. */
export function createSearches({ model, traffic, keys, random }: SearchesOptions): Searches {
  const counts = { answered: 0, unavailable: 0, noConnection: 0, hits: 0 };
  const tenants = [...keys.keys()];
  return { counts, run, check };

  async function run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const chosen = random.next() < 0.7 ? oneChunk() : undefined;
      if (chosen) await lookFor(chosen.document, chosen.chunk);
      else await lookAround();
      await delay(PAUSE_MS);
    }
  }

  async function lookAround(): Promise<void> {
    const query = Array.from({ length: random.between(1, 12) }, random.word).join(' ');
    const place = { tenantId: random.oneOf(tenants), tenantUnitId: random.oneOf(UNITS) };
    await search({ ...place, datasetId: random.oneOf(DATASETS), query });
  }

  /** A chunk that was found once is found each time until its document changes. */
  async function lookFor(document: DocumentModel, chunk: ChunkModel): Promise<void> {
    const datasetId = document.datasets.value[0];
    const [marker] = markersOf(chunk.content.value);
    if (!datasetId || !marker) return;
    const { changes } = document;
    const hits = await search({ ...document, datasetId, query: `${random.word()} ${marker}` });
    if (!hits || document.isProcessing || document.changes !== changes || changes % 2 === 1) return;
    const isFound = hits.some(({ id }) => id === chunk.id);
    if (isFound) chunk.foundAt = changes;
    else if (chunk.foundAt === changes)
      model.faults.push(`${describe(document, chunk)} was found before, and is no more`);
  }

  async function search(place: {
    tenantId: string;
    tenantUnitId: string;
    datasetId: string;
    query: string;
  }): Promise<Hit[] | undefined> {
    const { tenantId, tenantUnitId, datasetId, query } = place;
    const begin = performance.now();
    const answer = await ask(tenantId, {
      tenant_id: tenantId,
      tenant_unit_id: tenantUnitId,
      dataset_ids: [datasetId],
      query,
      top_k: TOP_K,
    });
    const end = performance.now();
    if (!answer) counts.noConnection++;
    else if (answer.status === 503) counts.unavailable++;
    else if (answer.status !== 200) model.faults.push(`a search answered ${answer.status}: ${answer.text}`);
    if (answer?.status !== 200) return undefined;
    const hits: Hit[] = JSON.parse(answer.text);
    counts.answered++;
    counts.hits += hits.length;
    for (const hit of hits) {
      const fault = findFault(model, hit, { tenantId, tenantUnitId, datasetId, begin, end });
      if (fault) model.faults.push(`chunk ${hit.id} of ${hit.document_name} was found, but ${fault}`);
    }
    return hits;
  }

  async function ask(tenantId: string, body: object): Promise<{ status: number; text: string } | undefined> {
    const headers = { 'X-Api-Key': keys.get(tenantId) ?? '', 'Content-Type': 'application/json' };
    const url = `http://lectern${SEARCH}?tenantId=${tenantId}`;
    try {
      const response = await traffic.fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: response.status, text: await response.text() };
    } catch {
      return undefined;
    }
  }

  async function check(most: number): Promise<{ found: number; absent: number }> {
    const result = { found: 0, absent: 0 };
    const all = [...model.documents.values()].flatMap((document) =>
      [...document.chunks.values()].map((chunk) => ({ document, chunk })),
    );
    const chosen = all.length <= most ? all : Array.from({ length: most }, () => random.oneOf(all));
    for (const { document, chunk } of chosen) {
      const [marker] = markersOf(chunk.content.value);
      if (!marker || document.isProcessing || document.changes % 2 === 1) continue;
      const own = document.datasets.value;
      const datasetId = random.oneOf(own.length > 0 && random.next() < 0.8 ? own : DATASETS);
      const hits = await search({ ...document, datasetId, query: marker });
      const isFound = hits?.some(({ id }) => id === chunk.id) ?? false;
      if (isFound !== isSearchable(document, chunk, datasetId)) {
        const not = isFound ? '' : 'not ';
        model.faults.push(`${describe(document, chunk)} is ${not}found in ${datasetId} in the end`);
      }
      result[isFound ? 'found' : 'absent']++;
    }
    return result;
  }

  function oneChunk() {
    const documents = [...model.documents.values()];
    const document = documents.length > 0 ? random.oneOf(documents) : undefined;
    if (!document || document.chunks.size === 0) return undefined;
    return { document, chunk: random.oneOf([...document.chunks.values()]) };
  }
}

const describe = ({ name }: DocumentModel, { id }: ChunkModel) => `chunk ${id} of ${name}`;
