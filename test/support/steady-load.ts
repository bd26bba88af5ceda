import { waitFor } from './wait-for.js';

const V1 = '/admin/api/v1';
const V2 = '/admin/api/v2/conversations';
const DATASET = encodeURIComponent('["load"]');
const MAX_TRIES = 20;

/** Clients that create, change, list, read and search without a pause, over the REST API. */
export function startSteadyLoad(addresses: () => string[], clients = 4) {
  /** How often there was which answer. */
  const answers = new Map<string, number>();
  /** The ids of documents that were acknowledged. */
  const created: string[] = [];
  let isEnding = false;

  /** Sends it until it is answered otherwise than by 503, which may be tried again. */
  async function send(method: string, route: string, body?: object): Promise<any> {
    for (let attempt = 1; ; attempt++) {
      const all = addresses();
      const response = await fetch(all[(created.length + attempt) % all.length] + route, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const [path = ''] = route.split('?');
      const answer = `${method} ${path.replace(/[0-9a-f]{8}-[-0-9a-f]+/, ':id')} ${response.status}`;
      answers.set(answer, (answers.get(answer) ?? 0) + 1);
      if (response.status === 503 && attempt < MAX_TRIES) continue;
      if (!response.ok) throw new Error(`${answer}: ${text}`);
      return JSON.parse(text);
    }
  }

  async function work(client: number): Promise<void> {
    const where = 'tenant_id=acme&tenant_unit_id=unit';
    const { id: conversation } = await send('POST', `${V2}?${where}`, { topic: 'Load' });
    for (let i = 0; !isEnding; i++) {
      const documentContent = `Text ${i} of the client ${client}.`;
      const scope = { tenantId: 'acme', tenantUnitId: 'unit' };
      const document = { ...scope, documentType: 'UnstructuredFile', documentContent };
      const { id } = await send('POST', `${V1}/documents?tenantId=acme&datasetIds=${DATASET}`, document);
      created.push(id);
      await send('PATCH', `${V1}/documents/${id}?tenantId=acme`, { customProperties: { i } });
      await send('GET', `${V1}/documents/${id}?tenantId=acme`);
      await send('GET', `${V1}/documents?tenantId=acme`);
      await send('PATCH', `${V2}/${conversation}?${where}`, { topic: `Load ${i}` });
      await send('GET', `${V2}/${conversation}?${where}`);
      await send('GET', `${V2}?${where}`);
      const question = { tenant_id: 'acme', tenant_unit_id: 'unit', dataset_ids: ['load'], query: 'client' };
      await send('POST', `${V1}/api/v1/documentChunks/search?tenantId=acme`, question);
    }
  }

  const ended = Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  // It is awaited at the end.
  ended.catch(() => {});
  return {
    answers,
    created,
    /** Waits for further documents; fails at once where a request has failed. */
    untilCreated(more: number): Promise<unknown> {
      const enough = created.length + more;
      const isEnough = waitFor(() => created.length >= enough, { what: `${more} further documents` });
      return Promise.race([isEnough, ended]);
    },
    /** Ends after the requests that are under way. @throws Error with the first answer that is an error */
    async stop() {
      isEnding = true;
      await ended;
    },
  };
}
