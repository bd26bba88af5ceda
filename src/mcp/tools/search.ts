import { z } from 'zod';
import { invalid } from '../../errors/errors.js';
import { chunkSearch, searchHit, searchMode } from '../../routers/index.js';
import { AS_DATA, type Caller, linkTo, READ_ONLY, scopeOf, tool, unit } from '../tool.js';

/** Units and datasets that are searched where the call names none. */
const MAX_PLACES = 200;

const result = z.object({
  id: z.string().describe('Id of the document. Give it to fetch for the whole text.'),
  title: z.string(),
  url: z.string().describe('Where a person can open the document.'),
  text: z.string().describe('The passage.'),
  score: z.number().describe('0 to 1; higher is better.'),
  chunkId: z.string(),
  datasets: z.array(z.string()),
  citation: searchHit.shape.citation
    .omit({ title: true, url: true })
    .extend({ processedTime: z.string().optional() })
    .describe('Where the passage is in the document.'),
  context: searchHit.shape.context.describe('The text around the passage, if it was asked for.'),
});

export const search = tool({
  name: 'search',
  title: 'Search documents',
  description: `Finds the passages of the knowledge documents that answer a question best, the best first. ${AS_DATA}`,
  procedure: 'chunks.search',
  annotations: READ_ONLY,
  input: z.strictObject({
    query: z.string().min(1).max(10_000).describe('A question or words, in any language.'),
    datasets: z
      .array(z.string().max(255))
      .max(1_000)
      .optional()
      .describe('Only documents of any of these datasets. By default, all that the API key reaches.'),
    unit,
    mode: searchMode
      .optional()
      .describe(
        'By words, by words and meaning, or by meaning alone. By default, as the server is configured.',
      ),
    filter: chunkSearch.shape.filter.describe(
      'Which passages may be found, such as { "type": "eq", "key": "document.externalId", "value": "42" }. Keys: document.id, externalId, type, name, url, urlPrefix, createdTime and updatedTime, customProperties.NAME, metadata.NAME.',
    ),
    context: chunkSearch.shape.context.describe('How much of the document around each passage is answered.'),
    limit: z.int().min(1).max(50).default(10).describe('Most passages of the answer.'),
  }),
  output: z.object({ results: z.array(result) }),
  async call({ datasets, unit: unitId, limit, ...asked }, caller) {
    const hits = await caller.api.chunks.search({
      ...asked,
      scope: { tenantId: caller.tenantId, tenantUnitId: await unitsOf(caller, unitId) },
      datasetIds: datasets ?? (await datasetsOf(caller, unitId)),
      topK: Math.min(limit, caller.maxPageSize),
    });
    return { results: hits.map((hit) => toResult(caller, hit)) };
  },
});

function toResult(caller: Caller, { citation, ...hit }: z.output<typeof searchHit>) {
  const { title, url, processedTime, ...place } = citation;
  return {
    id: hit.documentId,
    title: title ?? hit.documentName,
    url: linkTo(caller, { id: hit.documentId, url }),
    text: hit.content,
    score: hit.score,
    chunkId: hit.id,
    datasets: hit.datasetIds,
    citation: { ...place, ...(processedTime && { processedTime: processedTime.toISOString() }) },
    ...(hit.context && { context: hit.context }),
  };
}

export const listDatasets = tool({
  name: 'list_datasets',
  title: 'List datasets',
  description:
    'Lists the datasets that can be searched, in the order of their ids, with how many documents each has.',
  procedure: 'reach.datasets',
  annotations: READ_ONLY,
  input: z.strictObject({
    prefix: z.string().max(255).default('').describe('Only ids that begin with this.'),
    unit,
    limit: z.int().min(1).max(MAX_PLACES).default(100),
  }),
  output: z.object({
    datasets: z.array(
      z.object({
        id: z.string(),
        documents: z.int(),
        isLowerBound: z.boolean().describe('Whether there are more documents than were counted.'),
      }),
    ),
    truncated: z.boolean().describe('Whether there are more datasets. Ask for a prefix to see them.'),
  }),
  async call({ prefix, unit: unitId, limit }, caller) {
    const reached = await caller.api.reach.datasets({ scope: scopeOf(caller, unitId), prefix, limit });
    const datasets = reached.datasets.map(({ datasetId, ...dataset }) => ({ id: datasetId, ...dataset }));
    return { datasets, truncated: reached.truncated };
  },
});

async function unitsOf(caller: Caller, unitId: string | undefined): Promise<string | string[]> {
  const named = unitId ?? caller.tenantUnitIds;
  if (named) return typeof named === 'string' ? named : [...named];
  const { tenantUnitIds, truncated } = await caller.api.reach.units({
    scope: { tenantId: caller.tenantId },
    limit: MAX_PLACES,
  });
  if (truncated) throw invalid(`name one: there are more than ${MAX_PLACES}`, ['unit']);
  return tenantUnitIds;
}

async function datasetsOf(caller: Caller, unitId: string | undefined): Promise<string[]> {
  const named = caller.access?.datasetIds;
  if (named) return [...named];
  const { datasets, truncated } = await caller.api.reach.datasets({
    scope: scopeOf(caller, unitId),
    limit: MAX_PLACES,
    countUpTo: 0,
  });
  if (truncated)
    throw invalid(`name some: there are more than ${MAX_PLACES}; list_datasets tells them`, ['datasets']);
  return datasets.map(({ datasetId }) => datasetId);
}
