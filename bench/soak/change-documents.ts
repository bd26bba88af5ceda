import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../support/random.js';
import { type ModelDocument, newChunk } from './model.js';
import { createRegister } from './register.js';
import { type Ask, byExternalId, chunksOf, DOCUMENTS, expectOk } from './requests.js';
import type { Texts } from './texts.js';

export const TENANTS = ['red', 'green', 'blue'];
export const UNITS = ['north', 'south'];
export const DATASETS = ['faq', 'manuals', 'news'];
const POLL_MS = 50;

/** Changes of whole documents, each noted in the model; those of content end when it is processed. */
export function createDocumentChanges({ ask, random, texts }: { ask: Ask; random: Random; texts: Texts }) {
  return { plan, create, toggleDocument, changeDatasets, changeContent, deleteDocument };

  /** A document that is still to be created. */
  function plan(name: string): ModelDocument {
    return {
      name,
      id: name,
      ...(random.next() < 0.5 && { externalId: name }),
      tenantId: random.oneOf(TENANTS),
      tenantUnitId: random.oneOf(UNITS),
      text: createRegister(texts.text(), 0),
      datasets: createRegister(someDatasets(), 0),
      enabled: createRegister(true, 0),
      exists: createRegister(true, 0),
      chunks: new Map(),
      changes: 0,
    };
  }

  async function create(document: ModelDocument): Promise<void> {
    const { name, id, externalId, tenantId, tenantUnitId, text, datasets } = document;
    const content = { documentName: name, documentContent: text.value };
    if (externalId) {
      await upsert(document, content, datasets.value);
      document.id = await findId(document);
    } else {
      const answer = await ask('POST', DOCUMENTS, {
        query: { tenantId, datasetIds: JSON.stringify(datasets.value) },
        body: { id, tenantId, tenantUnitId, documentType: 'UnstructuredFile', ...content },
      });
      if (answer.repeats === 0 || answer.status !== 409) expectOk(answer);
    }
    await takeChunks(document);
  }

  async function toggleDocument(document: ModelDocument): Promise<void> {
    const enabled = !document.enabled.value;
    const settle = document.enabled.change(enabled);
    const route = `${DOCUMENTS}/${document.id}${random.next() < 0.5 ? '/toggle' : ''}`;
    expectOk(await ask('PATCH', route, { ...inTenant(document), body: { enabled } }));
    settle();
  }

  async function changeDatasets(document: ModelDocument): Promise<void> {
    // Only a document's external id leads to its datasets.
    if (!document.externalId) return toggleDocument(document);
    const datasets = someDatasets();
    const settle = document.datasets.change(datasets);
    await upsert(document, {}, datasets);
    settle();
  }

  async function changeContent(document: ModelDocument): Promise<void> {
    const kept = document.text.value.split('\n\n').filter(() => random.next() < 0.5);
    const text = [...kept, texts.text()].join('\n\n');
    const settleText = document.text.change(text);
    // Until it is processed, any of them may go.
    const settleGone = [...document.chunks.values()].map((chunk) => {
      const before = chunk.state.value;
      return { chunk, before, settle: chunk.state.change('gone') };
    });
    if (document.externalId) await upsert(document, { documentContent: text });
    else {
      const body = { documentContent: text };
      expectOk(await ask('PATCH', `${DOCUMENTS}/${document.id}`, { ...inTenant(document), body }));
    }
    const listed = await takeChunks(document);
    for (const { chunk, before, settle } of settleGone) {
      settle();
      if (listed.has(chunk.id)) chunk.state.change(before)();
    }
    settleText();
  }

  async function deleteDocument(document: ModelDocument): Promise<void> {
    const settle = document.exists.change(false);
    const answer = await ask('DELETE', `${DOCUMENTS}/${document.id}`, inTenant(document));
    if (answer.repeats === 0 || answer.status !== 404) expectOk(answer);
    settle();
  }

  async function upsert(document: ModelDocument, fields: object, datasets?: string[]): Promise<void> {
    const { externalId = '', tenantId, tenantUnitId } = document;
    const answer = await ask('PUT', byExternalId(externalId), {
      query: { tenantId, ...(datasets && { datasetIds: JSON.stringify(datasets) }) },
      body: { externalId, tenantId, tenantUnitId, ...fields },
    });
    expectOk(answer);
  }

  /** Its id is not told by the request that creates it. */
  async function findId({ name, tenantId }: ModelDocument): Promise<string> {
    for (let page = 1; ; page++) {
      const answer = await ask('GET', DOCUMENTS, {
        query: { tenantId, page: String(page), pageSize: '100' },
      });
      expectOk(answer);
      const found = answer.body.data.find((one: { documentName?: string }) => one.documentName === name);
      if (found) return found.id;
      if (answer.body.data.length === 0) throw new Error(`${name} was acknowledged and is not listed.`);
    }
  }

  /** Waits until the document is processed, and learns which chunks it has. */
  async function takeChunks(document: ModelDocument): Promise<Set<string>> {
    for (;;) {
      const answer = await ask('GET', `${DOCUMENTS}/${document.id}`, inTenant(document));
      expectOk(answer);
      if (answer.body.status === 'failed') throw new Error(`${document.name} could not be processed.`);
      if (answer.body.status === 'ready') break;
      await delay(POLL_MS);
    }
    const { tenantId } = document;
    const answer = await ask('GET', chunksOf(document.id), { query: { tenantId, pageSize: '100' } });
    expectOk(answer);
    const listed: { id: string; content: string; status: 'active' | 'inactive' }[] = answer.body.data;
    for (const { id, content, status } of listed) {
      if (!document.chunks.has(id)) document.chunks.set(id, newChunk(id, content, status));
    }
    return new Set(listed.map(({ id }) => id));
  }

  function someDatasets(): string[] {
    return DATASETS.filter(() => random.next() < 0.6);
  }
}

const inTenant = ({ tenantId }: ModelDocument) => ({ query: { tenantId } });
