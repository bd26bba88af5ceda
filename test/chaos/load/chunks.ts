import type { ChunkModel, DocumentModel } from '../model/documents.js';
import type { Client } from './client-context.js';
import type { DocumentChanges } from './documents.js';

/** Changes of single chunks of a client's documents. */
export function createChunkChanges(client: Client, documents: DocumentChanges) {
  const { calls, random, texts } = client;
  return { edit, toggle, remove };

  async function edit(): Promise<void> {
    const chosen = await chooseChunk();
    if (!chosen) return;
    const { document, chunk } = chosen;
    const content = texts.section();
    await documents.change(document, 'the edit of a chunk', [chunk.content.change(content)], (key) =>
      calls.editChunk(key, document, document.id ?? '', chunk.id, content),
    );
  }

  async function toggle(): Promise<void> {
    const chosen = await chooseChunk();
    if (!chosen) return;
    const { document, chunk } = chosen;
    const status = chunk.state.value === 'active' ? 'inactive' : 'active';
    await documents.change(document, 'the switch of a chunk', [chunk.state.change(status)], (key) =>
      calls.switchChunk(key, document, document.id ?? '', chunk.id, status),
    );
  }

  async function remove(): Promise<void> {
    const chosen = await chooseChunk();
    if (!chosen) return;
    const { document, chunk } = chosen;
    await documents.change(document, 'the deletion of a chunk', [chunk.state.change('gone')], (key) =>
      calls.deleteChunks(key, document, document.id ?? '', [chunk.id]),
    );
  }

  async function chooseChunk(): Promise<{ document: DocumentModel; chunk: ChunkModel } | undefined> {
    const document = await documents.choose({ isReady: true });
    const left = [...(document?.chunks.values() ?? [])].filter(
      ({ state }) => state.isCertain() && state.value !== 'gone',
    );
    return document && left.length > 0 ? { document, chunk: random.oneOf(left) } : undefined;
  }
}
