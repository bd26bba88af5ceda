import { MAX_COUNTED, type ReadBacklogs } from '../../metrics/read-backlogs.js';
import type { SearchOperations } from '../../search/operations/search-operations.js';
import type { Attention, Count } from './overview.schema.js';

/** What has waited less is on its way. */
const BEHIND_SECONDS = 60;
/** Fewer chunks are embedded within moments; the queue does not know since when they wait. */
const BEHIND_EMBEDDINGS = 1_000;

/** Whether searches are answered, and how far the index and the vectors are behind, for all tenants. */
export async function readSearchBacklog(
  operations: Pick<SearchOperations, 'indexStatus'>,
  readBacklogs: ReadBacklogs,
): Promise<NonNullable<Attention['search']>> {
  const { queues } = await readBacklogs();
  const queueOf = (name: string) => queues.find(({ queue }) => queue === name);
  const countOf = (name: string): Count => {
    const count = queueOf(name)?.count ?? 0;
    return { count, isLowerBound: count === MAX_COUNTED };
  };
  const { engine, available } = await operations.indexStatus();
  // PostgreSQL searches its own tables, of which nothing is sent anywhere.
  const hasOutbox = engine === 'meilisearch';
  const oldestSeconds = Math.floor(queueOf('index')?.oldestAge ?? 0);
  const embeddings = countOf('embeddings');
  return {
    isServed: available,
    indexBehind: hasOutbox && oldestSeconds >= BEHIND_SECONDS ? { ...countOf('index'), oldestSeconds } : null,
    rejected: hasOutbox ? countOf('index_rejected') : { count: 0, isLowerBound: false },
    embeddingBehind: embeddings.count >= BEHIND_EMBEDDINGS ? embeddings : null,
    embeddingFailed: countOf('embeddings_failed'),
  };
}
