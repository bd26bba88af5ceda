import { setTimeout as delay } from 'node:timers/promises';
import { unavailable } from '../../errors/errors.js';
import type { Collection } from './collection.js';
import { get, post, search } from './requests.js';

/** What became of a collection's documents. */
export interface Loaded {
  tenantId: string;
  /** The collection's names of the documents that are ready, by their ids on the server. */
  names: Map<string, string>;
}

const AT_A_TIME = 4;
const BATCH = 100;
const POLL_MS = 250;
const LOG_EACH = 500;
/** How many documents must be found by their own text before a collection counts as searchable. */
const SAMPLES = 30;
const SAMPLE_CHARACTERS = 60;
const PATIENCE_MS = 60_000;

/** Gives each collection a tenant of its own, creates its documents, and waits until they are processed and found. */
export async function loadDocuments(
  address: string,
  { name, documents }: Collection,
  log: (line: string) => void,
): Promise<Loaded> {
  const tenantId = name;
  const texts = documents
    .map(({ id, title, text }) => ({ id, title, content: title ? `# ${title}\n\n${text}` : text }))
    .filter(({ content }) => content.trim() !== '');
  log(`${name}: loading ${texts.length} documents`);
  const names = new Map<string, string>();
  const waiting = [...texts];
  const createRest = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { id, title, content } = next;
      names.set(await createDocument(address, { tenantId, title, content }), id);
      if (names.size % LOG_EACH === 0) log(`${name}: ${names.size} of ${texts.length} created`);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, createRest));

  for (const failed of await waitUntilProcessed(address, tenantId, [...names.keys()], log)) {
    log(`${name}: document ${names.get(failed)} could not be processed`);
    names.delete(failed);
  }
  const byName = new Map(texts.map(({ id, content }) => [id, content]));
  const samples = [...names].map(([id, document]) => ({ id, text: byName.get(document) ?? '' }));
  const lost = await waitUntilFound(address, tenantId, spread(samples, SAMPLES));
  if (lost > 0)
    log(`${name}: ${lost} documents in a sample of up to ${SAMPLES} are not found by their own text`);
  return { tenantId, names };
}

/** Waits until the texts of all documents are embedded. */
export async function waitUntilEmbedded(
  address: string,
  name: string,
  log: (line: string) => void,
): Promise<void> {
  let logged = Number.POSITIVE_INFINITY;
  for (;;) {
    const { result } = await get<StatusAnswer>(`${address}/trpc/search.status`);
    const { embedding } = result.data;
    if (embedding?.errors.length) throw unavailable(`A text was not embedded: ${embedding.errors[0]?.error}`);
    if (embedding?.waiting === 0) return;
    const waiting = embedding?.waiting ?? logged;
    if (logged - waiting >= LOG_EACH) {
      log(`${name}: ${waiting} texts are to be embedded`);
      logged = waiting;
    }
    await delay(POLL_MS);
  }
}

/** Of `search.status`, as far as it is read. */
interface StatusAnswer {
  result: { data: { embedding: { waiting: number; errors: { error: string }[] } | null } };
}

async function createDocument(
  address: string,
  { tenantId, title, content }: { tenantId: string; title: string; content: string },
): Promise<string> {
  const query = new URLSearchParams({ tenantId, datasetIds: JSON.stringify(['eval']) });
  const { id } = await post<{ id: string }>(`${address}/admin/api/v1/documents?${query}`, {
    tenantId,
    tenantUnitId: 'eval',
    documentType: 'UnstructuredFile',
    documentContent: content,
    ...(title && { documentName: title.slice(0, 200) }),
  });
  return id;
}

/** @returns the documents that failed */
async function waitUntilProcessed(
  address: string,
  tenantId: string,
  ids: string[],
  log: (line: string) => void,
): Promise<string[]> {
  const failed: string[] = [];
  let waiting = ids;
  let logged = 0;
  while (waiting.length > 0) {
    const asked = waiting.slice(0, BATCH);
    const query = new URLSearchParams({ tenantId, documentIds: JSON.stringify(asked) });
    const found = await get<{ id: string; status: string }[]>(
      `${address}/admin/api/v1/documents/byIds?${query}`,
    );
    const ended = found.filter(({ status }) => status === 'ready' || status === 'failed');
    failed.push(...ended.filter(({ status }) => status === 'failed').map(({ id }) => id));
    const over = new Set(ended.map(({ id }) => id));
    waiting = waiting.filter((id) => !over.has(id));
    const done = ids.length - waiting.length;
    if (done - logged >= LOG_EACH || done === ids.length) {
      log(`${tenantId}: ${done} of ${ids.length} processed`);
      logged = done;
    }
    if (ended.length < asked.length) await delay(POLL_MS);
  }
  return failed;
}

/**
 * Waits until each sample is among the hits of its own first words: an engine may take new documents in later than
 * the database does.
 *
 * @returns how many were still not found when none had been for a while
 */
async function waitUntilFound(
  address: string,
  tenantId: string,
  samples: { id: string; text: string }[],
): Promise<number> {
  let missing = samples;
  let lastFound = Date.now();
  while (missing.length > 0 && Date.now() - lastFound < PATIENCE_MS) {
    const still: typeof missing = [];
    for (const sample of missing) {
      const query = sample.text.slice(0, SAMPLE_CHARACTERS);
      const hits = await search(address, { tenantId, query, language: 'english', topK: 30 });
      if (!hits.some((hit) => hit.document_id === sample.id)) still.push(sample);
    }
    if (still.length < missing.length) lastFound = Date.now();
    missing = still;
    if (missing.length > 0) await delay(POLL_MS);
  }
  return missing.length;
}

/** Some items from all over the list, the last among them. */
function spread<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, items.length / count);
  const last = items.length - 1;
  return Array.from(
    { length: Math.min(count, items.length) },
    (_, i) => items[last - Math.floor(i * step)] as T,
  );
}
