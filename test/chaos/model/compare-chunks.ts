import { type Content, piecesIn } from './content.js';
import { type ChunkModel, type DocumentModel, type Listed, newChunk } from './documents.js';

/**
 * Compares the chunks of a processed document with what it was given, and learns which it has.
 *
 * @param options.lacksScans whether the document warns that scanned pages were left out
 * @returns what is wrong; undefined where nothing is
 */
export function takeChunks(
  document: DocumentModel,
  listed: Listed[],
  { lacksScans = false } = {},
): string | undefined {
  const reasons = document.content.possible().map((content) => {
    const left = new Set(lacksScans ? content.scanned : []);
    const pieces = content.pieces.filter((piece) => !left.has(piece));
    const reason = findDifference(document, content, { listed, pieces });
    if (reason === undefined) take(document, content, listed);
    return reason;
  });
  return reasons.some((reason) => reason === undefined) ? undefined : reasons[0];
}

function findDifference(
  document: DocumentModel,
  content: Content,
  { listed, pieces: needed }: { listed: Listed[]; pieces: string[] },
): string | undefined {
  const wanted = new Set(content.pieces);
  const covered = new Set<string>();
  for (const { id, content: text, status } of listed) {
    const known = document.chunks.get(id);
    const pieces = piecesIn(known?.original ?? text, content);
    const foreign = pieces.find((piece) => !wanted.has(piece));
    if (foreign !== undefined) return `chunk ${id} has "${excerpt(foreign)}", which is not of its source`;
    for (const piece of pieces) covered.add(piece);
    if (!known) continue;
    if (!known.content.possible().includes(text)) return `chunk ${id} has not the text that it was given`;
    if (!known.state.possible().includes(status)) {
      return `chunk ${id} is ${status}, and should be ${known.state.possible().join(' or ')}`;
    }
  }
  const ids = new Set(listed.map(({ id }) => id));
  for (const chunk of deletedOf(document)) {
    if (!ids.has(chunk.id)) for (const piece of piecesIn(chunk.original, content)) covered.add(piece);
  }
  const missing = needed.find((piece) => !covered.has(piece));
  return missing === undefined ? undefined : `"${excerpt(missing)}" of its source is in no chunk`;
}

function take(document: DocumentModel, content: Content, listed: Listed[]): void {
  document.content.see(content);
  document.isProcessing = false;
  document.takenAt = performance.now();
  const wanted = new Set(content.pieces);
  const ids = new Set(listed.map(({ id }) => id));
  for (const one of listed) {
    const known = document.chunks.get(one.id);
    if (!known) document.chunks.set(one.id, newChunk(one));
    known?.content.see(one.content);
    known?.state.see(one.status);
  }
  for (const chunk of document.chunks.values()) {
    if (ids.has(chunk.id)) continue;
    // Deleted by a client, or with the text that it was split off from.
    if (!chunk.state.see('gone')) chunk.state.change('gone').acknowledge();
    const isOfSource = piecesIn(chunk.original, content).every((piece) => wanted.has(piece));
    if (!isOfSource) document.chunks.delete(chunk.id);
  }
}

/** Those that a client may have deleted. They stay deleted while their text is in the source. */
const deletedOf = ({ chunks }: DocumentModel): ChunkModel[] =>
  [...chunks.values()].filter(({ state }) => state.possible().includes('gone'));

const excerpt = (text: string) => text.slice(0, 60);
