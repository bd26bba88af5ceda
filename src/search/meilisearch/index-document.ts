import { termsOf } from '../ranking/analyze.js';
import type { Hasher } from './hashes.js';
import type { IndexedChunk } from './indexed-chunks.js';

/**
 * Format of the documents: a higher one makes Lectern rebuild an index of former ones, and PostgreSQL answers until then.
 */
export const DOCUMENT_FORMAT = 2;

/** A chunk as indexed. Every field is written each time: one that is left out would keep its former value. */
export function toIndexDocument(chunk: IndexedChunk, hasher: Hasher) {
  const { tenantId, tenantUnitId, datasetIds, keywords, terms, properties, ...others } = chunk;
  return {
    ...others,
    keywords: Object.keys(keywords),
    customProperties: toProperties(properties),
    tenantId,
    tenantUnitId,
    datasetIds,
    tenantHash: hasher.tenant(tenantId),
    unitHash: hasher.unit(tenantId, tenantUnitId),
    datasetHashes: datasetIds.map((datasetId) => hasher.dataset(tenantId, datasetId)),
    terms: [...new Set(terms.split(' ').flatMap(termsOf))].map(encodeTerm),
  };
}

/** Without objects: each name in one would become an attribute of the index. */
function toProperties(properties: Record<string, unknown> | null): Record<string, unknown> {
  const isPlain = (value: unknown) => typeof value !== 'object' || value === null;
  return Object.fromEntries(
    Object.entries(properties ?? {}).filter(([, value]) => [value].flat().every(isPlain)),
  );
}

/**
 * A term in letters and digits of ASCII, because filters ignore case and accents: as it is or, if it has other
 * characters, a `z` and four digits of base 35, which has no `z`, for each. Longest: 257 characters.
 */
export const encodeTerm = (term: string): string =>
  PLAIN.test(term)
    ? term
    : `z${[...term].map((c) => (c.codePointAt(0) as number).toString(35).padStart(4, '0')).join('')}`;

const PLAIN = /^[a-z0-9]*$/;

export const CHECKPOINT_ID = 'checkpoint';

/**
 * Stored in the index among the chunks and updated with each batch: shows whether the index holds all that
 * this database has sent.
 */
export const checkpointDocument = (generation: number, checkpoint: number) => ({
  id: CHECKPOINT_ID,
  revision: `${generation}.${checkpoint}`,
  unitHash: CHECKPOINT_ID,
  // Where a former release looks for it, which would fill an index without it anew.
  unit: CHECKPOINT_ID,
});

/**
 * The checkpoint that goes with a batch. It is an update: in an index that was emptied meanwhile it makes a document
 * that is no checkpoint, because it has no unit.
 */
export const checkpointPatch = (generation: number, checkpoint: number) => ({
  id: CHECKPOINT_ID,
  revision: `${generation}.${checkpoint}`,
});

export interface Checkpoint {
  /** Of the index's filling. */
  generation: number;
  /** Of the last batch. */
  checkpoint: number;
}

export function readCheckpoint(document: { revision?: unknown } | undefined): Checkpoint | undefined {
  const [generation, checkpoint] = String(document?.revision).split('.').map(Number);
  return Number.isInteger(generation) && Number.isInteger(checkpoint)
    ? { generation: generation as number, checkpoint: checkpoint as number }
    : undefined;
}
