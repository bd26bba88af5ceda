import { type Request, type Response, Router } from 'express';
import { invalid, notFound } from '../../errors/errors.js';
import { parseJsonBody } from '../../rest-facade/json-body.js';
import { sendJson } from '../../rest-facade/send-json.js';
import type { Caller } from '../caller.js';
import { type DatasetName, readDataset } from '../datasets.js';
import type { IntegrationOptions } from '../options.js';
import { readInput } from '../read-input.js';
import { listQuery, listVectorStores } from './list-vector-stores.js';
import { searchBody, searchVectorStore } from './search-vector-store.js';
import { toVectorStore } from './vector-store.js';
import { readVectorStoreId } from './vector-store-id.js';

export const OPENAI_PATH = '/integrations/openai';
/** Of a path that is not supported, in the error. */
const MAX_PATH_LENGTH = 200;
const STORES = `${OPENAI_PATH}/v1/vector_stores`;

/** Serves what OpenAI's packages need to find and search vector stores; mount `openAiErrors` after it. */
export function serveOpenAi({ callerOf, bodyMemory, maxJsonBytes, maxPageSize }: IntegrationOptions): Router {
  const routes = Router({ caseSensitive: true });
  const answer =
    (handle: (caller: Caller, req: Request, res: Response) => Promise<object>) =>
    async (req: Request, res: Response) => {
      await sendJson(res, await bodyMemory.during(res, handle(callerOf(req, res), req, res)));
    };
  routes.get(
    STORES,
    answer((caller, req, res) => {
      const { tenantId: _tenant, tenantUnitId: _unit, ...query } = req.query;
      return listVectorStores(caller, readInput(res, listQuery, query));
    }),
  );
  routes.get(
    `${STORES}/:id`,
    answer(async (caller, req) => {
      const id = String(req.params.id);
      return toVectorStore(id, await readDataset(caller, nameOf(id)));
    }),
  );
  routes.post(
    `${STORES}/:id/search`,
    ...parseJsonBody(maxJsonBytes, bodyMemory),
    answer(async (caller, req, res) => {
      const asked = readInput(res, searchBody, req.body);
      return searchVectorStore(caller, nameOf(String(req.params.id)), asked, maxPageSize);
    }),
  );
  routes.use(OPENAI_PATH, (req) => {
    const asked = `${req.method} ${req.path.slice(0, MAX_PATH_LENGTH)}`;
    throw invalid(`${asked} is not supported. Vector stores can be listed, read and searched.`, []);
  });
  return routes;
}

/** @throws DomainError `not_found` as for a dataset that does not exist */
function nameOf(id: string): DatasetName {
  const name = readVectorStoreId(id);
  if (!name) throw notFound('Dataset', ['dataset']);
  return name;
}
