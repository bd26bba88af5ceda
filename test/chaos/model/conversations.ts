import type { Place } from '../load/calls.js';
import { createRegister, type Register } from './register.js';

/** What is known of a conversation. */
export interface ConversationModel {
  tenantId: string;
  tenantUnitId: string;
  /** Of its creation; unique. */
  firstTopic: string;
  /** Undefined until its creation is answered. */
  id: string | undefined;
  exists: Register<boolean>;
  topic: Register<string>;
  status: Register<string>;
  /** Changes of the status that were acknowledged, and that may have happened besides. */
  statusChanges: { acknowledged: number; inDoubt: number };
  /** Their texts, by id; undefined while there is none. */
  messages: Map<string, Register<string | undefined>>;
}

export const newConversation = (place: Place, firstTopic: string): ConversationModel => ({
  ...place,
  firstTopic,
  id: undefined,
  exists: createRegister(false),
  topic: createRegister(firstTopic),
  status: createRegister('running'),
  statusChanges: { acknowledged: 0, inDoubt: 0 },
  messages: new Map(),
});
