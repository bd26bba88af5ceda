import type { Random } from '../support/random.js';
import type { ModelChunk, ModelDocument } from './model.js';
import { type Ask, chunksOf, DOCUMENTS, expectOk } from './requests.js';
import type { Texts } from './texts.js';

/** Changes of single chunks, each noted in the model. */
export function createChunkChanges({ ask, random, texts }: { ask: Ask; random: Random; texts: Texts }) {
  return { editChunk, switchChunk, deleteChunks };

  async function editChunk(document: ModelDocument): Promise<void> {
    const chunk = oneChunk(document);
    if (!chunk) return;
    const content = texts.section();
    const settle = chunk.content.change(content);
    expectOk(
      await ask('PATCH', `${chunksOf(document.id)}${chunk.id}`, { ...inTenant(document), body: { content } }),
    );
    settle();
  }

  async function switchChunk(document: ModelDocument): Promise<void> {
    const chunk = oneChunk(document);
    if (!chunk) return;
    const status = chunk.state.value === 'active' ? 'inactive' : 'active';
    const settle = chunk.state.change(status);
    const { tenantId, tenantUnitId } = document;
    const query = { tenantId, tenantUnitId };
    expectOk(await ask('PATCH', `${chunksOf(document.id)}${chunk.id}/status`, { query, body: { status } }));
    settle();
  }

  async function deleteChunks(document: ModelDocument): Promise<void> {
    const chunk = oneChunk(document);
    if (!chunk) return;
    const settle = chunk.state.change('gone');
    const answer = await ask('DELETE', `${DOCUMENTS}/${document.id}/documentChunks/batch`, {
      ...inTenant(document),
      body: { documentChunkIds: [chunk.id] },
    });
    if (answer.repeats === 0 || answer.status !== 404) expectOk(answer);
    settle();
  }

  function oneChunk(document: ModelDocument): ModelChunk | undefined {
    const left = [...document.chunks.values()].filter(({ state }) => state.value !== 'gone');
    return left.length > 0 ? random.oneOf(left) : undefined;
  }
}

const inTenant = ({ tenantId }: ModelDocument) => ({ query: { tenantId } });
