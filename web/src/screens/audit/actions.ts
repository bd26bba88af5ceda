import type { Inputs } from '../../api/trpc';

type Procedure = {
  [Area in keyof Inputs & string]: `${Area}.${keyof Inputs[Area] & string}`;
}[keyof Inputs & string];

/** Actions that are offered to filter by: procedures that write. */
export const actions = [
  'apiKeys.create',
  'apiKeys.revoke',
  'apiKeys.rotate',
  'chunks.deleteMany',
  'chunks.setStatus',
  'chunks.setStatusMany',
  'chunks.update',
  'conversations.create',
  'conversations.delete',
  'conversations.setStatus',
  'conversations.update',
  'documents.cancel',
  'documents.cancelMany',
  'documents.create',
  'documents.createMany',
  'documents.delete',
  'documents.deleteMany',
  'documents.reprocess',
  'documents.reprocessMany',
  'documents.setEnabled',
  'documents.setEnabledMany',
  'documents.update',
  'documents.upsert',
  'evaluations.removeQuestion',
  'evaluations.run',
  'evaluations.saveQuestion',
  'files.upload',
  'search.importSynonyms',
  'search.removeSynonyms',
  'search.saveSynonyms',
  'session.create',
  'session.delete',
  'webhooks.create',
  'webhooks.delete',
  'webhooks.replay',
  'webhooks.resume',
  'webhooks.rotateSecret',
  'webhooks.test',
  'webhooks.update',
] as const satisfies readonly Procedure[];
