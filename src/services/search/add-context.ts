import type { Database } from '../../../db/schema.js';
import { makePassages } from './passages.js';
import { readNeighbours } from './read-neighbours.js';
import type { ChunkSearch, SearchHit } from './search.schema.js';

/** Adds the passages that hits are in, if they are asked for. */
export async function addContext(
  db: Database,
  hits: SearchHit[],
  { scope, datasetIds, context }: Pick<ChunkSearch, 'scope' | 'datasetIds' | 'context'>,
): Promise<SearchHit[]> {
  if (!context) return hits;
  const placed = hits.map(({ id, documentId, content, citation: { ordinal, edited, span } }) => {
    return { id, documentId, content, ordinal, edited, span };
  });
  const neighbours = await readNeighbours(db, { scope, datasetIds }, placed, context);
  const contexts = makePassages(placed, neighbours, context);
  return hits.map((hit) => ({ ...hit, context: contexts.get(hit.id) }));
}
