import { setTimeout as delay } from 'node:timers/promises';
import { takeChunks } from '../model/compare-chunks.js';
import type { DocumentModel } from '../model/documents.js';
import type { Client } from './client-context.js';

/** What was in doubt may happen while it is read: what looks wrong is read once more. */
const SECOND_LOOK_MS = 3_000;

type Reader = Pick<Client, 'calls' | 'model'>;

/** Reads a document, and compares it with what is known of it. */
export async function readDocument(reader: Reader, document: DocumentModel): Promise<void> {
  let fault = await compare(reader, document);
  if (fault) {
    await delay(SECOND_LOOK_MS);
    fault = await compare(reader, document);
  }
  if (fault) reader.model.faults.push(`${document.name} (${document.id}): ${fault}`);
}

/** @returns what is wrong; undefined where nothing is, or nothing is answered */
async function compare({ calls }: Reader, document: DocumentModel): Promise<string | undefined> {
  const { id, exists, enabled, label, changes } = document;
  if (id === undefined) return undefined;
  const read = await calls.readDocument(document, id);
  if (read.kind === 'doubt') return undefined;
  if (read.kind === 'refused') return `its read was answered ${read.status} ${JSON.stringify(read.body)}`;
  const state = read.value;
  if (!exists.see(state !== undefined)) {
    return state ? 'it was deleted, and is there' : 'it was acknowledged, and is not there';
  }
  if (!state) return undefined;
  if (!enabled.see(state.enabled)) return `it is ${state.enabled ? '' : 'not '}enabled`;
  if (!label.see(state.label)) return `its label is ${state.label}, not ${label.possible().join(' or ')}`;
  document.hasFailed = state.status === 'failed';
  if (document.isProcessing && state.status !== 'ready') return undefined;
  if (!document.isProcessing && state.status !== 'ready') return `it was ready, and is ${state.status}`;
  const listed = await calls.listChunks(document, id);
  if (listed.kind !== 'done' || !listed.value) return undefined;
  const chunks = listed.value;
  let fault = takeChunks(document, chunks);
  if (fault) {
    // An engine that is away at the last attempt has its pages left out, which the document says.
    const warned = await calls.readWarnings(document, id);
    if (warned.kind === 'done' && warned.value.includes('pages_without_text'))
      fault = takeChunks(document, chunks, { lacksScans: true });
  }
  const isCertain = [exists, enabled, label, document.datasets, document.content].every((one) =>
    one.isCertain(),
  );
  if (!fault && isCertain && changes % 2 === 1 && areCertain(document)) document.changes++;
  return fault;
}

const areCertain = ({ chunks }: DocumentModel): boolean =>
  [...chunks.values()].every(({ content, state }) => content.isCertain() && state.isCertain());
