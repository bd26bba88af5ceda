import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../support/random.js';
import { DATASETS, TENANTS, UNITS } from './change-documents.js';
import {
  findFault,
  type Hit,
  isSearchable,
  type Model,
  type ModelChunk,
  type ModelDocument,
} from './model.js';
import { type Ask, SEARCH } from './requests.js';
import { markerOf } from './texts.js';

const PAUSE_MS = 15;
const TOP_K = 20;

export interface Searches {
  /** Answered, answered by 503, and hits seen. */
  counts: { answered: number; unavailable: number; hits: number };
  /** Answers that were wrong. */
  wrong: string[];
  /** Searches until it is over. */
  keepSearching(isOver: () => boolean): Promise<void>;
  /** Looks for that many chunks, at rest: each that should be found must be, and no other. */
  checkSample(size: number): Promise<{ found: number; absent: number }>;
}

/** Searches whose every hit is compared with the model. */
export function createSearches(model: Model, ask: Ask, random: Random): Searches {
  const counts = { answered: 0, unavailable: 0, hits: 0 };
  const wrong: string[] = [];
  return { counts, wrong, keepSearching, checkSample };

  async function keepSearching(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const chosen = random.next() < 0.7 ? oneChunk() : undefined;
      if (chosen) await lookFor(chosen.document, chosen.chunk);
      else await lookAround();
      await delay(PAUSE_MS);
    }
  }

  async function lookAround(): Promise<void> {
    const query = Array.from({ length: random.between(1, 12) }, random.word).join(' ');
    const place = { tenantId: random.oneOf(TENANTS), tenantUnitId: random.oneOf(UNITS) };
    await search({ ...place, datasetId: random.oneOf(DATASETS), query });
  }

  /** A chunk that was found once is found each time until its document changes. */
  async function lookFor(document: ModelDocument, chunk: ModelChunk): Promise<void> {
    const datasetId = document.datasets.value[0];
    const marker = markerOf(chunk.content.value);
    if (!datasetId || !marker) return;
    const { changes } = document;
    const hits = await search({ ...document, datasetId, query: `${random.word()} ${marker}` });
    if (!hits || document.changes !== changes || changes % 2 === 1) return;
    const isFound = hits.some(({ id }) => id === chunk.id);
    if (isFound) chunk.foundAt = changes;
    else if (chunk.foundAt === changes)
      wrong.push(`${describe(document, chunk)} was found before, and is no more`);
  }

  async function search(place: {
    tenantId: string;
    tenantUnitId: string;
    datasetId: string;
    query: string;
  }): Promise<Hit[] | undefined> {
    const { tenantId, tenantUnitId, datasetId, query } = place;
    const begin = performance.now();
    const { status, body } = await ask('POST', SEARCH, {
      query: { tenantId },
      body: {
        tenant_id: tenantId,
        tenant_unit_id: tenantUnitId,
        dataset_ids: [datasetId],
        query,
        top_k: TOP_K,
      },
    });
    const end = performance.now();
    if (status === 503) counts.unavailable++;
    else if (status !== 200) wrong.push(`a search answered ${status}: ${JSON.stringify(body)}`);
    if (status !== 200) return undefined;
    counts.answered++;
    counts.hits += body.length;
    for (const hit of body as Hit[]) {
      const fault = findFault(model, hit, { tenantId, tenantUnitId, datasetId, begin, end });
      if (fault) wrong.push(`chunk ${hit.id} of ${hit.document_name} was found, but ${fault}`);
    }
    return body;
  }

  async function checkSample(size: number): Promise<{ found: number; absent: number }> {
    const result = { found: 0, absent: 0 };
    for (let i = 0; i < size; i++) {
      const chosen = oneChunk();
      const marker = chosen && markerOf(chosen.chunk.content.value);
      if (!marker) continue;
      const { document, chunk } = chosen;
      const own = document.datasets.value;
      const datasetId = random.oneOf(own.length > 0 && random.next() < 0.8 ? own : DATASETS);
      const hits = await search({ ...document, datasetId, query: marker });
      const isFound = hits?.some(({ id }) => id === chunk.id) ?? false;
      const isExpected = isSearchable(document, chunk, datasetId);
      if (isFound !== isExpected) {
        wrong.push(
          `${describe(document, chunk)} is ${isFound ? '' : 'not '}found in ${datasetId} in the end`,
        );
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

const describe = ({ name }: ModelDocument, { id }: ModelChunk) => `chunk ${id} of ${name}`;
