import type { Content } from './content.js';
import { createRegister, type Register } from './register.js';

/** What is known of a chunk. */
export interface ChunkModel {
  id: string;
  /** As it was split off. */
  original: string;
  content: Register<string>;
  state: Register<'active' | 'inactive' | 'gone'>;
  /** The document's count of changes when the chunk was found last; it must be found until the next. */
  foundAt?: number;
}

export type SourceKind = 'inline' | 'upsert' | 'upload' | 'url';

/** What is known of a document from what was asked for, acknowledged and read. */
export interface DocumentModel {
  /** Unique; by it, it is found. */
  name: string;
  kind: SourceKind;
  /** Where it was answered, or chosen. */
  id: string | undefined;
  tenantId: string;
  tenantUnitId: string;
  exists: Register<boolean>;
  enabled: Register<boolean>;
  datasets: Register<string[]>;
  label: Register<string | undefined>;
  content: Register<Content>;
  chunks: Map<string, ChunkModel>;
  /** Its chunks are not known: its content changed since they were read. */
  isProcessing: boolean;
  /** When its chunks were read last, by `performance.now()`. */
  takenAt: number;
  hasFailed: boolean;
  /** Grows with the begin and the end of each change; odd also while one is in doubt. */
  changes: number;
}

export interface Listed {
  id: string;
  content: string;
  status: 'active' | 'inactive';
}

const isSameList = (a: string[], b: string[]) => [...a].sort().join() === [...b].sort().join();
const isSameContent = (a: Content, b: Content) => a === b || isSameList(a.pieces, b.pieces);

export const newDocument = (
  given: Pick<DocumentModel, 'name' | 'kind' | 'id' | 'tenantId' | 'tenantUnitId'> & {
    datasets: string[];
    content: Content;
  },
): DocumentModel => ({
  ...given,
  exists: createRegister(false),
  enabled: createRegister(true),
  datasets: createRegister(given.datasets, isSameList),
  label: createRegister<string | undefined>(undefined),
  content: createRegister(given.content, isSameContent),
  chunks: new Map(),
  isProcessing: true,
  takenAt: performance.now(),
  hasFailed: false,
  changes: 0,
});

export const newChunk = ({ id, content, status }: Listed): ChunkModel => ({
  id,
  original: content,
  content: createRegister(content),
  state: createRegister<'active' | 'inactive' | 'gone'>(status),
});
