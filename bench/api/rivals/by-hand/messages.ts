import { json, Router } from 'express';
import pg from 'pg';
import { z } from 'zod';
import { insertMessages } from './insert-messages.js';

const id = z.string().min(1).max(255);
const scope = z.object({ tenant_id: id });
const body = z.object({
  conversationId: id,
  messages: z
    .array(z.object({ id, messageFrom: z.string(), content: z.string().max(2 ** 20), runId: id }))
    .max(100),
});

export function serveMessages(url: string): Router {
  const pool = new pg.Pool({ connectionString: url });
  const routes = Router();
  routes.post('/', json({ limit: '16mb' }), async (req, res) => {
    const { tenant_id: tenantId } = scope.parse(req.query);
    const request = body.parse(req.body);
    res.json({ newIds: await insertMessages(pool, { tenantId, ...request }) });
  });
  return routes;
}
