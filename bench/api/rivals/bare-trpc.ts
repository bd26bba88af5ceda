/** A tRPC server with one procedure and the same query: by tRPC's own HTTP server, or on Express. */
import { initTRPC, TRPCError } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import { createHTTPHandler } from '@trpc/server/adapters/standalone';
import express from 'express';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import type { Schema } from '../../../db/schema.js';
import { args, listen, url } from './listen.js';

// A bigint is a number, as in the service's answers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const db = new Kysely<Schema>({
  dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 20 }) }),
  plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
});
const id = z.string().min(1).max(255);
/** What an answer holds. */
const columns = [
  ...([
    'id',
    'topic',
    'agentId',
    'tenantId',
    'tenantUnitId',
    'userId',
    'agentMode',
    'extendProperties',
  ] as const),
  ...(['invokeFrom', 'inputs', 'status', 'assignmentId', 'createdTime', 'updatedTime', 'createdBy'] as const),
  ...(['updatedBy', 'createdByRole', 'updatedByRole', 'createdByName', 'updatedByName'] as const),
  ...(['agentType', 'version', 'labels', 'legalHoldTime', 'legalHoldBy'] as const),
] as const;
const { router, procedure } = initTRPC.create();

const api = router({
  conversations: router({
    get: procedure
      .input(z.object({ scope: z.object({ tenantId: id }), conversationId: id }))
      .query(async ({ input: { scope, conversationId } }) => {
        const row = await db
          .selectFrom('conversations')
          .select(columns)
          .where('tenantId', '=', scope.tenantId)
          .where('id', '=', conversationId)
          .executeTakeFirst();
        if (!row) throw new TRPCError({ code: 'NOT_FOUND' });
        return row;
      }),
  }),
});

if (args.includes('express')) {
  const app = express();
  app.disable('x-powered-by');
  app.use('/trpc', createExpressMiddleware({ router: api }));
  listen(app);
} else listen(createHTTPHandler({ router: api, basePath: '/trpc/' }));
