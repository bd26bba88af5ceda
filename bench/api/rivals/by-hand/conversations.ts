import { randomUUID } from 'node:crypto';
import { json, Router } from 'express';
import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { SnakeCaseSchema } from '../snake-case-schema.js';
import { audit, emit, once } from './effects.js';

const id = z.string().min(1).max(255);
const path = z.object({ id });
const scope = z.object({ tenant_id: id });
const filter = scope.extend({
  page_num: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
});
const status = z.enum(['running', 'succeeded', 'failed', 'stopped']);
const newConversation = z.object({
  topic: z.string().max(10_000).default('New Conversation'),
  status: status.default('running'),
  agent_id: z.guid().default('00000000-0000-0000-0000-000000000000'),
  inputs: z.record(z.string(), z.unknown()).nullable().default(null),
  assignment_id: id.nullable().default(null),
});

/** What an answer holds, and its version. */
const columns = [
  ...(['id', 'topic', 'agent_id', 'tenant_id', 'tenant_unit_id', 'user_id', 'agent_mode'] as const),
  ...(['extend_properties', 'invoke_from', 'inputs', 'status', 'assignment_id', 'created_time'] as const),
  ...(['updated_time', 'created_by', 'updated_by', 'created_by_role', 'updated_by_role'] as const),
  ...(['created_by_name', 'updated_by_name', 'agent_type', 'version'] as const),
] as const;
type Row = Pick<Selectable<SnakeCaseSchema['conversations']>, (typeof columns)[number]>;
const toAnswer = ({ version: _, ...row }: Row) => row;

export function serveConversations(db: Kysely<SnakeCaseSchema>): Router {
  const routes = Router();

  routes.get('/', async (req, res) => {
    const { tenant_id, page_num, page_size } = filter.parse(req.query);
    const [{ count }, rows] = await Promise.all([
      db
        .selectFrom('conversations')
        .where('tenant_id', '=', tenant_id)
        .select((eb) => eb.fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow(),
      db
        .selectFrom('conversations as c')
        .where('c.tenant_id', '=', tenant_id)
        .select(columns)
        .select((eb) =>
          eb
            .selectFrom('messages as m')
            .whereRef('m.tenant_id', '=', 'c.tenant_id')
            .whereRef('m.conversation_id', '=', 'c.id')
            .select((inner) => inner.fn.countAll<string>().as('count'))
            .as('message_count'),
        )
        .orderBy('c.created_time', 'desc')
        .orderBy('c.id', 'desc')
        .limit(page_size)
        .offset((page_num - 1) * page_size)
        .execute(),
    ]);
    const total_count = Number(count);
    const total_pages = Math.max(1, Math.ceil(total_count / page_size));
    res.json({
      page_num,
      page_size,
      total_count,
      total_pages,
      has_next_page: page_num < total_pages,
      data: rows.map(({ message_count, ...row }) => ({
        ...toAnswer(row),
        message_count: Number(message_count),
      })),
    });
  });

  routes.get('/:id', async (req, res) => {
    const { tenant_id } = scope.parse(req.query);
    const row = await db
      .selectFrom('conversations')
      .select(columns)
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', path.parse(req.params).id)
      .executeTakeFirst();
    if (!row) {
      res.status(404).json({ detail: 'Conversation not found.' });
      return;
    }
    res.set('ETag', `"${row.version}"`).json(toAnswer(row));
  });

  routes.post('/', json(), async (req, res) => {
    const { tenant_id } = scope.parse(req.query);
    const input = newConversation.parse(req.body ?? {});
    const user = req.get('x-user-id') ?? null;
    const { result, isReplay } = await once(db, { req, tenant_id, input }, async (tx) => {
      const now = new Date();
      const row = await tx
        .insertInto('conversations')
        .values({
          ...input,
          id: randomUUID(),
          tenant_id,
          tenant_unit_id: 'default',
          agent_mode: 'chat',
          user_id: user ?? 'anonymous',
          inputs: input.inputs && JSON.stringify(input.inputs),
          created_time: now,
          updated_time: now,
          created_by: user,
          updated_by: user,
        })
        .returning(columns)
        .executeTakeFirstOrThrow();
      const { tenant_unit_id, status, topic, agent_id, assignment_id } = row;
      await tx
        .insertInto('conversation_status_changes')
        .values({
          tenant_id,
          tenant_unit_id,
          conversation_id: row.id,
          from_status: null,
          to_status: status,
          changed_time: now,
          changed_by: user,
        })
        .execute();
      await audit(tx, req, {
        tenant_id,
        tenant_unit_id,
        action: 'conversations.create',
        subject_type: 'conversation',
        subject_id: row.id,
        before: null,
        after: JSON.stringify({ topic, status, agentId: agent_id, assignmentId: assignment_id }),
      });
      await emit(tx, {
        tenant_id,
        tenant_unit_id,
        type: 'conversation.created',
        subject_id: row.id,
        data: { conversationId: row.id, status },
      });
      return { etag: `"${row.version}"`, body: toAnswer(row) };
    });
    if (isReplay) res.set('Idempotency-Replayed', 'true');
    res.status(201).set('ETag', result.etag).json(result.body);
  });

  return routes;
}
