import { createHash } from 'node:crypto';
import { termsOf } from '../ranking/analyze.js';
import type { IndexedChunk } from './indexed-chunks.js';

/** A chunk as indexed. Only ids and revisions are ever returned. */
export interface IndexDocument {
  id: string;
  revision: string;
  bucket?: number;
  unit: string;
  datasets?: string[];
  terms?: string[];
}

export function toIndexDocument(chunk: IndexedChunk): IndexDocument {
  const { tenantId, tenantUnitId } = chunk;
  return {
    id: chunk.id,
    revision: chunk.revision,
    bucket: chunk.bucket,
    unit: hashUnit(tenantId, tenantUnitId),
    datasets: chunk.datasetIds.map((datasetId) => hashDataset(tenantId, datasetId)),
    terms: [...new Set(chunk.terms.split(' ').flatMap(termsOf))].map(encodeTerm),
  };
}

/** Hashed, because filters ignore case and accents. */
export const hashUnit = (tenantId: string, tenantUnitId: string) => `u${hash(tenantId, tenantUnitId)}`;

export const hashDataset = (tenantId: string, datasetId: string) => `d${hash(tenantId, datasetId)}`;

const hash = (...parts: string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);

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
export const checkpointDocument = (generation: number, checkpoint: number): IndexDocument => ({
  id: CHECKPOINT_ID,
  revision: `${generation}.${checkpoint}`,
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
