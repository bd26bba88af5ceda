import { v7 as uuid } from 'uuid';
import type { Database, Queryable } from '../../../db/schema.js';
import { conflict, invalid } from '../../errors/errors.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { acquireLock } from '../shared/advisory-lock.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { createWebhookDeliveries } from './deliveries.js';
import {
  assertNoDatasetRestriction,
  auditWebhook,
  findWebhook,
  lockWebhook,
  toWebhook,
  type WebhookRow,
  withinWebhookScope,
} from './rows.js';
import { createWebhookSecret } from './secret.js';
import type {
  NewWebhook,
  SecretRotation,
  Webhook,
  WebhookChanges,
  WebhookFilter,
  WebhookRef,
  WebhookWithSecret,
} from './webhooks.schema.js';

export const MAX_WEBHOOKS = 20;

export interface WebhooksDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  maxPageSize: number;
  /** Validates a webhook URL; returns the problem. */
  validateUrl: (url: string) => string | undefined;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Webhook subscriptions of a tenant. */
export function createWebhooks({
  db,
  writeTransaction,
  clock,
  maxPageSize,
  validateUrl,
}: WebhooksDependencies) {
  const { deliveries, replay, test } = createWebhookDeliveries({ db, writeTransaction, clock, maxPageSize });
  return { create, list, get, update, rotateSecret, resume, remove, deliveries, replay, test };

  async function create(input: NewWebhook, actor: Actor): Promise<WebhookWithSecret> {
    const { scope, url, eventTypes, description, secret = createWebhookSecret() } = input;
    assertNoDatasetRestriction(scope);
    assertValidUrl(url);
    const now = clock();
    const webhookId = await writeTransaction({ scope, actor }, async (tx) => {
      await assertWebhookLimit(tx, scope.tenantId);
      const row = await tx
        .insertInto('webhookSubscriptions')
        .values({
          id: uuid(),
          tenantId: scope.tenantId,
          tenantUnitIds: scope.tenantUnitId === undefined ? null : [...new Set([scope.tenantUnitId].flat())],
          url,
          description,
          eventTypes,
          secret,
          createdTime: now,
          updatedTime: now,
          createdBy: authorOf(actor),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditWebhook(tx, actor, 'webhooks.create', { after: row });
      return row.id;
    });
    return readWithSecret({ scope, webhookId });
  }

  async function list({ scope }: WebhookFilter): Promise<Webhook[]> {
    assertNoDatasetRestriction(scope);
    const rows = await db
      .selectFrom('webhookSubscriptions')
      .selectAll()
      .where(withinWebhookScope(scope))
      .orderBy('createdTime', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(toWebhook);
  }

  async function get(ref: WebhookRef): Promise<Webhook> {
    return toWebhook(await findWebhook(db, ref));
  }

  /** Re-enabling or a new URL resets failures. */
  async function update(input: WebhookChanges, actor: Actor): Promise<Webhook> {
    const { url, eventTypes, description, enabled } = input;
    if (url !== undefined) assertValidUrl(url);
    return change(input, actor, 'webhooks.update', (before) => ({
      ...(url !== undefined && { url }),
      ...(eventTypes !== undefined && { eventTypes }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { enabled }),
      ...(((url !== undefined && url !== before.url) || (enabled === true && !before.enabled)) && RESUMED),
    }));
  }

  /** Until the overlap is over, both secrets sign. */
  async function rotateSecret(input: SecretRotation, actor: Actor): Promise<WebhookWithSecret> {
    const { secret = createWebhookSecret(), overlapSeconds } = input;
    await change(input, actor, 'webhooks.rotateSecret', (before) => ({
      secret,
      formerSecret: overlapSeconds > 0 ? before.secret : null,
      formerSecretUntil: overlapSeconds > 0 ? new Date(clock().getTime() + overlapSeconds * 1000) : null,
    }));
    return readWithSecret(input);
  }

  /** Resumes a paused subscription; pending events are sent. */
  async function resume(ref: WebhookRef, actor: Actor): Promise<Webhook> {
    return change(ref, actor, 'webhooks.resume', (before) => {
      if (!before.enabled) throw conflict(DISABLED, ['webhookId']);
      return RESUMED;
    });
  }

  /** Deletes the subscription with its deliveries. */
  async function remove(ref: WebhookRef, actor: Actor): Promise<void> {
    await writeTransaction({ scope: ref.scope, actor }, async (tx) => {
      const row = await lockWebhook(tx, ref);
      await tx
        .deleteFrom('webhookSubscriptions')
        .where('tenantId', '=', row.tenantId)
        .where('id', '=', row.id)
        .execute();
      await auditWebhook(tx, actor, 'webhooks.delete', { before: row });
    });
  }

  function change(
    ref: WebhookRef,
    actor: Actor,
    action: string,
    changesOf: (before: WebhookRow) => Partial<WebhookRow>,
  ): Promise<Webhook> {
    return writeTransaction({ scope: ref.scope, actor }, async (tx) => {
      const before = await lockWebhook(tx, ref);
      const changes = changesOf(before);
      if (Object.keys(changes).length === 0) return toWebhook(before);
      const after = await tx
        .updateTable('webhookSubscriptions')
        .set({ ...changes, updatedTime: clock() })
        .where('tenantId', '=', before.tenantId)
        .where('id', '=', before.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await auditWebhook(tx, actor, action, { before, after });
      return toWebhook(after);
    });
  }

  /** Outside the transaction, whose result is stored for retries: secrets must not be stored. */
  async function readWithSecret(ref: WebhookRef): Promise<WebhookWithSecret> {
    const row = await findWebhook(db, ref);
    return { ...toWebhook(row), secret: row.secret };
  }

  function assertValidUrl(url: string): void {
    const objection = validateUrl(url);
    if (objection) throw invalid(objection, ['url'], 'value_error.url');
  }
}

/** Serialized by a lock, so that the limit is exact. */
async function assertWebhookLimit(tx: Queryable, tenantId: string): Promise<void> {
  await acquireLock(tx, 'webhooks', tenantId);
  const { count } = await tx
    .selectFrom('webhookSubscriptions')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .executeTakeFirstOrThrow();
  if (count >= MAX_WEBHOOKS) throw conflict(FULL, ['scope', 'tenantId'], 'quota_exceeded.webhooks');
}

const RESUMED = { failures: 0, pausedTime: null, heldUntil: null };
const FULL = `A tenant has at most ${MAX_WEBHOOKS} webhooks; delete one that is not needed.`;
const DISABLED = 'This webhook is disabled; enable it with webhooks.update.';
