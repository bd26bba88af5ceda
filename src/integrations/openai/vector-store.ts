import type { Dataset } from '../datasets.js';

/** A dataset as OpenAI describes a vector store. What nobody knows of it, such as when it was made, is 0. */
export const toVectorStore = (id: string, { datasetId, documents }: Dataset) => ({
  id,
  object: 'vector_store',
  created_at: 0,
  name: datasetId,
  usage_bytes: 0,
  file_counts: { in_progress: 0, completed: documents, failed: 0, cancelled: 0, total: documents },
  status: 'completed',
  expires_after: null,
  expires_at: null,
  last_active_at: null,
  metadata: {},
});
