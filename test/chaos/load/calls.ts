import type { Listed } from '../model/documents.js';
import type { Outcome } from './outcome.js';

export interface Place {
  tenantId: string;
  tenantUnitId: string;
}

export interface NewFile {
  fileName: string;
  mediaType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface DocumentState {
  status: 'created' | 'processing' | 'ready' | 'failed' | 'unknown';
  enabled: boolean;
  label: string | undefined;
}

export interface DocumentChange {
  documentContent?: string;
  url?: string;
  enabled?: boolean;
  /** Kept among the custom properties. */
  label?: string;
}

type Datasets = { datasetIds: string[] };
type Source = { documentContent: string } | { url: string };

/**
 * What a client asks for: by REST, or by the typed client. Writes have an idempotency key; with the same one they are the same
 * write. Undefined stands for what is not there.
 */
export interface Calls {
  kind: 'REST' | 'typed';
  createDocument(
    key: string,
    document: Place & Datasets & Source & { id: string; documentName: string },
  ): Promise<Outcome<unknown>>;
  uploadDocument(
    key: string,
    document: Place & Datasets & { file: NewFile },
  ): Promise<Outcome<{ id: string }>>;
  upsertDocument(
    key: string,
    document: Place &
      Partial<Datasets> & { externalId: string; documentName?: string; documentContent?: string },
  ): Promise<Outcome<unknown>>;
  changeDocument(key: string, place: Place, id: string, change: DocumentChange): Promise<Outcome<unknown>>;
  toggleDocument(key: string, place: Place, id: string, enabled: boolean): Promise<Outcome<unknown>>;
  deleteDocument(key: string, place: Place, id: string): Promise<Outcome<unknown>>;
  readDocument(place: Place, id: string): Promise<Outcome<DocumentState | undefined>>;
  /** The codes of what its chunks lack. */
  readWarnings(place: Place, id: string): Promise<Outcome<string[]>>;
  listChunks(place: Place, id: string): Promise<Outcome<Listed[] | undefined>>;
  editChunk(
    key: string,
    place: Place,
    id: string,
    chunkId: string,
    content: string,
  ): Promise<Outcome<unknown>>;
  switchChunk(
    key: string,
    place: Place,
    id: string,
    chunkId: string,
    status: 'active' | 'inactive',
  ): Promise<Outcome<unknown>>;
  deleteChunks(key: string, place: Place, id: string, chunkIds: string[]): Promise<Outcome<unknown>>;
  createConversation(key: string, place: Place, topic: string): Promise<Outcome<{ id: string }>>;
  renameConversation(key: string, place: Place, id: string, topic: string): Promise<Outcome<unknown>>;
  setConversationStatus(key: string, place: Place, id: string, status: string): Promise<Outcome<unknown>>;
  deleteConversation(key: string, place: Place, id: string): Promise<Outcome<unknown>>;
  readConversation(place: Place, id: string): Promise<Outcome<{ topic: string; status: string } | undefined>>;
}

export const codesOf = (documents: { warnings: { code: string }[] }[]): string[] =>
  documents.flatMap(({ warnings }) => warnings.map(({ code }) => code));
