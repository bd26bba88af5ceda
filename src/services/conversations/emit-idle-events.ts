import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { tenantTransaction } from '../../../db/tenant-isolation/tenant-transaction.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { emitEvents } from '../../webhook-delivery/events.js';

/** Conversations of a step. */
const MAX_CONVERSATIONS = 100;

/**
 * Emits `conversation.idle` for conversations without a new message for the period, and puts the check of others off.
 *
 * @returns whether there may be more
 */
export async function emitIdleEvents(database: Database, periodMs: number): Promise<boolean> {
  const due = await unscoped(database, 'Conversations of all tenants become idle.')
    .selectFrom('conversations')
    .select(['tenantId', 'id'])
    .where('idleCheckTime', '<=', sql<Date>`now()`)
    .orderBy('idleCheckTime')
    .limit(MAX_CONVERSATIONS)
    .execute();
  const byTenant = new Map<string, string[]>();
  for (const { tenantId, id } of due) byTenant.set(tenantId, [...(byTenant.get(tenantId) ?? []), id]);
  let checked = 0;
  for (const [tenantId, ids] of byTenant)
    checked += await checkConversations(database, { tenantId, ids, periodMs });
  return checked === MAX_CONVERSATIONS;
}

interface Checks {
  tenantId: string;
  ids: string[];
  periodMs: number;
}

/** @returns how many were checked: those that are being changed at the moment have their turn later */
function checkConversations(db: Database, { tenantId, ids, periodMs }: Checks): Promise<number> {
  return tenantTransaction(db, tenantId, async (tx) => {
    const rows = await tx
      .selectFrom('conversations as c')
      .select(['c.id', 'c.tenantUnitId', 'c.status', 'c.lastMessageTime', sql<Date>`now()`.as('now')])
      .select((eb) =>
        eb
          .exists(
            eb
              .selectFrom('messages as m')
              .select('m.id')
              .where('m.tenantId', '=', tenantId)
              .whereRef('m.conversationId', '=', 'c.id')
              .where('m.isOpen', '=', true),
          )
          .as('isBeingWritten'),
      )
      .where('c.tenantId', '=', tenantId)
      .where('c.id', 'in', ids)
      .where('c.idleCheckTime', '<=', sql<Date>`now()`)
      .forNoKeyUpdate()
      .skipLocked()
      .execute();
    const checks = rows.map((row) => {
      const lastTime = row.isBeingWritten || !row.lastMessageTime ? row.now : row.lastMessageTime;
      const next = new Date(lastTime.getTime() + periodMs);
      return { row, lastTime, next: next > row.now ? next : null };
    });
    await sql`
      update conversations as c set idle_check_time = n.next
      from json_to_recordset(${JSON.stringify(checks.map(({ row: { id }, next }) => ({ id, next })))}::json)
        as n (id text, next timestamptz)
      where c.tenant_id = ${tenantId} and c.id = n.id
    `.execute(tx);
    const idle = checks.filter(({ next }) => next === null);
    await emitEvents(
      tx,
      tenantId,
      idle.map(({ row: { id: conversationId, tenantUnitId, status }, lastTime }) => ({
        type: 'conversation.idle',
        tenantUnitId,
        data: { conversationId, status, lastMessageTime: lastTime.toISOString() },
      })),
    );
    return rows.length;
  });
}
