import { createHash } from 'node:crypto';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database, Queryable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { conflict, type InputPath, invalid } from '../../errors/errors.js';
import type { Actor } from '../shared/actor.js';
import { resolveTenant, type TenantUnitRef, unitsOf, withinTenant } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import type { ConversationRow } from './audit.js';
import {
  assertNotGuessed,
  type ConversationPlace,
  insertMessages,
  OTHER_MESSAGE,
} from './insert-messages.js';
import { emitMessageEvents } from './message-events.js';
import type { AppendedMessages, MessagesToAppend, NewMessage } from './messages.schema.js';
import { insertConversation, lockConversation, updateStatus } from './writes.js';

export interface MessageAppendDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  /** Tenant and unit of a new conversation where the request names none. */
  defaultTenantUnit: TenantUnitRef;
}

type Scope = ConversationPlace['scope'];

/** Appends messages to a conversation: each id of a tenant once. */
export function createMessageAppend({
  db,
  writeTransaction,
  clock,
  defaultTenantUnit,
}: MessageAppendDependencies) {
  /**
   * Stores messages that are not stored yet. Where there is no such conversation and the request describes one, it is
   * created; where the request has a status and at least one message is new, the conversation gets it.
   *
   * @throws DomainError `not_found` for the conversation; `conflict` if another message of the tenant has one of the ids;
   *   `forbidden` for an id that a key of some units could guess
   */
  return async function append(
    request: MessagesToAppend,
    actor: Actor,
    access: KeyAccess | undefined,
  ): Promise<AppendedMessages> {
    assertNotGuessed(access, chosenIds(request));
    const scope = await findTenant(request);
    return writeTransaction({ scope, actor }, async (tx) => {
      const now = clock();
      const created = await createConversation(tx, { scope, request, now }, actor);
      const conversationId = created?.id ?? (request.conversationId as string);
      const place = { scope, conversationId };
      const stored = await insertMessages(tx, { ...place, messages: request.messages, now }, actor);
      const newIds = stored.map(({ id }) => id);
      if (newIds.length < request.messages.length) {
        await assertStored(tx, { ...place, messages: request.messages, newIds });
      }
      await emitMessageEvents(tx, { tenantId: scope.tenantId, conversationId }, stored);
      if (request.status !== undefined && newIds.length > 0) {
        const before = await lockConversation(tx, place);
        if (before.status !== request.status)
          await updateStatus(tx, before, { status: request.status, now }, actor);
      }
      return { conversationId, isNewConversation: created !== undefined, newIds };
    });
  };

  /** In open mode, a request without a tenant means that of its conversation. */
  async function findTenant({ scope, conversationId }: MessagesToAppend): Promise<Scope> {
    const located =
      conversationId === undefined
        ? undefined
        : await resolveTenant(db, 'conversations', { scope, id: conversationId });
    return located ?? { ...scope, tenantId: scope.tenantId ?? defaultTenantUnit.tenantId };
  }

  interface Creation {
    scope: Scope;
    request: MessagesToAppend;
    now: Date;
  }

  /** @returns undefined where the request asks for no new conversation, or there is one with this id */
  async function createConversation(
    tx: Queryable,
    { scope, request: { conversationId: id, conversation }, now }: Creation,
    actor: Actor,
  ): Promise<ConversationRow | undefined> {
    if (!conversation || (id !== undefined && (await exists(tx, { tenantId: scope.tenantId }, id))))
      return undefined;
    const [tenantUnitId = defaultTenantUnit.tenantUnitId, ...others] = unitsOf(scope) ?? [];
    if (others.length > 0) throw invalid(NAME_ONE_UNIT, ['scope', 'tenantUnitId']);
    const place = { tenantId: scope.tenantId, tenantUnitId };
    return insertConversation(tx, { ...conversation, place, id, now }, actor);
  }
}

/** The ids that the request chooses, with their places in it. */
function chosenIds({ conversationId, conversation, messages }: MessagesToAppend): [string, InputPath][] {
  const ids = messages.map(({ id }, place): [string, InputPath] => [id, ['messages', place, 'id']]);
  return conversation && conversationId !== undefined ? [...ids, [conversationId, ['conversationId']]] : ids;
}

async function exists(tx: Queryable, scope: Scope, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', id)
    .where(withinTenant(scope))
    .executeTakeFirst();
  return row !== undefined;
}

interface StoredMessages extends ConversationPlace {
  messages: Pick<NewMessage, 'id' | 'messageFrom' | 'content'>[];
  /** Those that were not stored before. */
  newIds: string[];
  /** Of the messages in the request. */
  path?: InputPath;
}

/**
 * Checks the messages that were stored before: a retry has the same.
 *
 * @throws DomainError `conflict` at the first message that is another than the stored one
 */
export async function assertStored(
  tx: Queryable,
  { scope, conversationId, messages, newIds, path = ['messages'] }: StoredMessages,
): Promise<void> {
  const earlier = messages.flatMap(({ id }) => (newIds.includes(id) ? [] : [id]));
  const stored = await tx
    .selectFrom('messages')
    .select(['id', 'conversationId', 'messageFrom'])
    .select(sql<string>`encode(sha256(convert_to(content, 'UTF8')), 'hex')`.as('hash'))
    .where('tenantId', '=', scope.tenantId)
    .where('id', 'in', earlier)
    .execute();
  const byId = new Map(stored.map((row) => [row.id, row]));
  for (const [place, message] of messages.entries()) {
    if (newIds.includes(message.id)) continue;
    if (message.content.length > YIELD_LENGTH) await yieldToOthers();
    const row = byId.get(message.id);
    const isSame =
      row?.conversationId === conversationId &&
      row.messageFrom === message.messageFrom &&
      row.hash === hashOf(message.content);
    if (!isSame) throw conflict(OTHER_MESSAGE, [...path, place, 'id']);
  }
}

/** In characters; before the hash of a longer text, other requests have the event loop. */
const YIELD_LENGTH = 2 ** 16;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

const NAME_ONE_UNIT = 'Name the unit of the new conversation, and only one.';
