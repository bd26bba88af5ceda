import { TRPCError } from '@trpc/server';
import { Router } from 'express';
import { z } from 'zod';
import { notFound } from '../../errors/errors.js';
import { parseJsonBody } from '../../rest-facade/json-body.js';
import { sendJson } from '../../rest-facade/send-json.js';
import { text } from '../../routers/index.js';
import type { Caller } from '../caller.js';
import { searchDataset } from '../datasets.js';
import { describeHit } from '../describe-hit.js';
import type { IntegrationOptions } from '../options.js';
import { readInput } from '../read-input.js';
import { readKnowledgeId } from './knowledge-id.js';
import { metadataCondition, toFilter } from './metadata-condition.js';

export const DIFY_PATH = '/integrations/dify';

/** Of a unit and a dataset, each of 255 bytes that are percent-encoded. */
const MAX_ID_LENGTH = 1_600;

/** Unknown fields are ignored: later versions of Dify may send some. */
export const retrieval = z.object({
  knowledge_id: text(MAX_ID_LENGTH),
  query: z.string(),
  retrieval_setting: z.object({
    top_k: z.int().nullish(),
    score_threshold: z.number().min(0).max(1).nullish(),
  }),
  metadata_condition: metadataCondition.nullish(),
});

/** Serves Dify's External Knowledge API; mount `difyErrors` after it. */
export function serveDify({ callerOf, bodyMemory, maxJsonBytes }: IntegrationOptions): Router {
  const routes = Router({ caseSensitive: true });
  const path = `${DIFY_PATH}/retrieval`;
  routes.post(path, ...parseJsonBody(maxJsonBytes, bodyMemory), async (req, res) => {
    const asked = readInput(res, retrieval, req.body);
    await sendJson(res, await bodyMemory.during(res, retrieve(callerOf(req, res), asked)));
  });
  routes.all(path, (req, res) => {
    res.set('Allow', 'POST');
    throw new TRPCError({ code: 'METHOD_NOT_SUPPORTED', message: `${req.method} is not allowed here.` });
  });
  routes.use(DIFY_PATH, () => {
    throw notFound('Path', ['path']);
  });
  return routes;
}

async function retrieve(caller: Caller, asked: z.output<typeof retrieval>) {
  const { top_k, score_threshold } = asked.retrieval_setting;
  const hits = await searchDataset(caller, readKnowledgeId(asked.knowledge_id), {
    query: asked.query,
    topK: top_k ?? undefined,
    filter: asked.metadata_condition ? toFilter(asked.metadata_condition) : undefined,
  });
  const records = hits
    .filter(({ score }) => score >= (score_threshold ?? 0))
    .map((hit) => ({
      content: hit.content,
      score: hit.score,
      title: hit.citation.title ?? hit.documentName,
      // Of one name, what Lectern says counts.
      metadata: { ...hit.customProperties, ...describeHit(hit) },
    }));
  return { records };
}
