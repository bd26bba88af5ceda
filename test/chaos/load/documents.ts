import { contentOf } from '../model/content.js';
import { type DocumentModel, newDocument, type SourceKind } from '../model/documents.js';
import { documentKey } from '../model/model.js';
import type { Change } from '../model/register.js';
import type { Client } from './client-context.js';
import { makeFile } from './files.js';
import type { Outcome } from './outcome.js';
import { readDocument } from './read-document.js';

export const UNITS = ['north', 'south'];
export const DATASETS = ['faq', 'manuals', 'news'];
const SOURCES: Record<SourceKind, number> = { inline: 30, upsert: 20, upload: 35, url: 15 };
/** A client with so many deletes one for each that it makes. */
const MANY = 120;

export type DocumentChanges = ReturnType<typeof createDocumentChanges>;

/** Changes of whole documents of a client. */
export function createDocumentChanges(client: Client) {
  const { calls, random, texts, model, pages, write } = client;
  const own: DocumentModel[] = [];
  let made = 0;
  return { create, toggle, relabel, changeDatasets, changeContent, remove, choose, change };

  /** One that is there, as far as is known; its chunks too, where `isReady`. */
  async function choose({ isReady = false } = {}): Promise<DocumentModel | undefined> {
    const there = own.filter(({ exists, id }) => exists.value && exists.isCertain() && id !== undefined);
    if (there.length === 0) return undefined;
    const chosen = random.oneOf(there);
    // What was left in doubt is looked at first.
    if (chosen.isProcessing || chosen.changes % 2 === 1) await readDocument(client, chosen);
    if (!chosen.exists.value || !chosen.content.isCertain()) return undefined;
    return isReady && (chosen.isProcessing || chosen.hasFailed) ? undefined : chosen;
  }

  /** Makes a change; it counts as over once it is acknowledged. */
  async function change<T>(
    document: DocumentModel,
    what: string,
    changes: Change[],
    send: (key: string) => Promise<Outcome<T>>,
    options: { onDone?: (value: T) => void; mustKnow?: boolean } = {},
  ): Promise<boolean> {
    if (document.changes % 2 === 0) document.changes++;
    const isDone = await write({ what: `${what} of ${document.name}`, send, changes, ...options });
    if (isDone) document.changes++;
    return isDone;
  }

  async function create(): Promise<void> {
    if (own.filter(({ exists }) => exists.value).length >= MANY) return remove();
    const kind = random.weighted(SOURCES);
    const title = `${client.name}-${++made}`;
    const place = { tenantId: client.tenantId, tenantUnitId: random.oneOf(UNITS) };
    const datasetIds = someDatasets();
    const source = makeSource(kind, title);
    const document = newDocument({ ...place, ...source, kind, datasets: datasetIds });
    own.push(document);
    model.documents.set(documentKey(document), document);
    const setId = (value: { id: string }) => {
      document.id = value.id;
    };
    const changes = [document.exists.change(true)];
    const { name } = document;
    const at = { ...place, datasetIds };
    if (source.file) {
      const { file } = source;
      const send = (key: string) => calls.uploadDocument(key, { ...at, file });
      await change(document, 'the upload', changes, send, { onDone: setId, mustKnow: true });
    } else if (kind === 'upsert') {
      const content = { externalId: name, documentName: name, documentContent: source.text };
      const send = (key: string) => calls.upsertDocument(key, { ...at, ...content });
      if (await change(document, 'the upsert', changes, send, { mustKnow: true })) await findId(document);
    } else {
      const given = source.url ? { url: source.url } : { documentContent: source.text };
      const id = `id-${name}`;
      document.id = id;
      const send = (key: string) => calls.createDocument(key, { ...at, id, documentName: name, ...given });
      await change(document, 'the creation', changes, send);
    }
  }

  function makeSource(kind: SourceKind, title: string) {
    if (kind === 'upload') {
      const { file, content } = makeFile(title, client);
      return { name: file.fileName, id: undefined, text: '', url: undefined, file, content };
    }
    const text = texts.text();
    const url = kind === 'url' ? pages.add(text) : undefined;
    return { name: title, id: undefined, text, url, file: undefined, content: contentOf(text) };
  }

  /** An upsert by REST does not answer with the id. */
  async function findId(document: DocumentModel): Promise<void> {
    const found = await client.lectern.trpc.documents.list
      .query({ scope: { tenantId: document.tenantId }, nameContains: document.name })
      .catch(() => undefined);
    document.id = found?.items.find(({ documentName }) => documentName === document.name)?.id;
    if (found && document.id === undefined)
      model.faults.push(`${document.name} was acknowledged and is not listed`);
  }

  async function toggle(): Promise<void> {
    const document = await choose();
    if (!document) return create();
    const [id, enabled] = [document.id ?? '', !document.enabled.value];
    const changes = [document.enabled.change(enabled)];
    const isToggle = random.next() < 0.5;
    await change(document, 'the switch', changes, (key) =>
      isToggle
        ? calls.toggleDocument(key, document, id, enabled)
        : calls.changeDocument(key, document, id, { enabled }),
    );
  }

  async function relabel(): Promise<void> {
    const document = await choose();
    if (!document) return create();
    const label = random.word();
    const changes = [document.label.change(label)];
    await change(document, 'the label', changes, (key) =>
      calls.changeDocument(key, document, document.id ?? '', { label }),
    );
  }

  async function changeDatasets(): Promise<void> {
    const document = await choose();
    // By REST only an external id leads to the datasets of a document.
    if (document?.kind !== 'upsert') return relabel();
    const datasetIds = someDatasets();
    const changes = [document.datasets.change(datasetIds)];
    const { tenantId, tenantUnitId, name } = document;
    await change(document, 'the datasets', changes, (key) =>
      calls.upsertDocument(key, { tenantId, tenantUnitId, externalId: name, datasetIds }),
    );
  }

  async function changeContent(): Promise<void> {
    const document = await choose();
    if (!document) return create();
    const { tenantId, tenantUnitId, name, kind } = document;
    const text = texts.text();
    const url = kind === 'url' ? pages.add(text) : undefined;
    const changes = [document.content.change(contentOf(text))];
    document.isProcessing = true;
    const given = url ? { url } : { documentContent: text };
    await change(document, 'the content', changes, (key) =>
      kind === 'upsert'
        ? calls.upsertDocument(key, { tenantId, tenantUnitId, externalId: name, documentContent: text })
        : calls.changeDocument(key, document, document.id ?? '', given),
    );
  }

  async function remove(): Promise<void> {
    const document = await choose();
    if (!document) return;
    const changes = [document.exists.change(false)];
    await change(document, 'the deletion', changes, (key) =>
      calls.deleteDocument(key, document, document.id ?? ''),
    );
  }

  function someDatasets(): string[] {
    return DATASETS.filter(() => random.next() < 0.6);
  }
}
