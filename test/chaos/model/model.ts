import type { ConversationModel } from './conversations.js';
import type { DocumentModel } from './documents.js';
import type { KeyModel } from './keys.js';
import type { ErasedUser } from './users.js';
import type { WebhookModel } from './webhooks.js';

/** What the clients know. */
export interface Model {
  /** By tenant and name. */
  documents: Map<string, DocumentModel>;
  conversations: ConversationModel[];
  erasedUsers: ErasedUser[];
  keys: KeyModel[];
  webhooks: WebhookModel[];
  /** What was seen and should not have been. */
  faults: string[];
}

export const documentKey = ({ tenantId, name }: { tenantId: string; name: string }): string =>
  `${tenantId} ${name}`;

export const createModel = (): Model => ({
  documents: new Map(),
  conversations: [],
  erasedUsers: [],
  keys: [],
  webhooks: [],
  faults: [],
});
