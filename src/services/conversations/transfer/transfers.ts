import type { Database } from '../../../../db/schema.js';
import { createConversationExport } from './export-conversations.js';
import { createConversationImport, type ImportDependencies } from './import-conversations.js';

export type Transfers = ReturnType<typeof createTransfers>;

/** Conversations that are taken from one tenant or server to another. */
export const createTransfers = (dependencies: { db: Database } & ImportDependencies) => ({
  exportPage: createConversationExport(dependencies),
  import: createConversationImport(dependencies),
});
