import type { RawBuilder, SqlBool } from 'kysely';
import type { SearchLanguage } from '../chunk-index.js';

export interface MessageQuery {
  tenantId: string;
  /** All units if undefined. */
  tenantUnitIds: readonly string[] | undefined;
  text: string;
  language: SearchLanguage;
  limit: number;
  conversations: ConversationConditions;
  messages: MessageConditions;
}

/** Which conversations messages are searched in. */
export interface ConversationConditions {
  /** Of a row of `conversations`, its units among them; undefined where all of the tenant are asked for. */
  matches: RawBuilder<SqlBool> | undefined;
  agentId?: string | undefined;
  userId?: string | undefined;
  /** A query for `id`, which finds the newest of them by an index; undefined where there is none or nothing else is asked for. */
  newest: ((limit: number) => RawBuilder<unknown>) | undefined;
}

/** Of the messages; topics pass only where nothing is asked for. */
export interface MessageConditions {
  feedback?: string | undefined;
  requestedFrom?: Date | undefined;
  requestedBefore?: Date | undefined;
  minTokens?: number | undefined;
  maxTokens?: number | undefined;
}
