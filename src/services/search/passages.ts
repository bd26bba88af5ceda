import type { ContextRequest, HitContext } from './context.schema.js';
import { cutAfter, cutBefore } from './cut-between-words.js';
import { type JoinableChunk, type JoinedChunks, joinChunks } from './join-chunks.js';

/** A chunk of a document, which may be a hit. */
export interface PlacedChunk extends JoinableChunk {
  id: string;
  documentId: string;
  ordinal: number;
}

/** A hit in a text, and the part of that which is wanted around it. */
interface Wanted {
  id: string;
  /** From 0, the best. */
  rank: number;
  start: number;
  end: number;
  from: number;
  to: number;
}

interface Passage {
  from: number;
  to: number;
  hits: Wanted[];
}

/**
 * The context of each hit, by its id. Chunks that follow each other are one text; the parts of it that are wanted around
 * hits become one passage where they overlap, or where only white space parts them.
 *
 * @param hits best first
 * @param neighbours of the hits; what is missing among them, such as a chunk that searches do not find, ends a passage
 */
export function makePassages(
  hits: readonly PlacedChunk[],
  neighbours: readonly PlacedChunk[],
  request: ContextRequest,
): Map<string, HitContext> {
  const ranks = new Map(hits.map(({ id }, rank) => [id, rank]));
  const contexts = new Map<string, HitContext>();
  for (const run of runsOf([...hits, ...neighbours])) {
    const joined = joinChunks(run);
    const wanted = run.flatMap(({ id }, place): Wanted[] => {
      const rank = ranks.get(id);
      const at = joined.places[place];
      return rank === undefined || !at ? [] : [{ id, rank, ...at, ...around(place, joined, request) }];
    });
    for (const passage of merge(wanted, joined.text)) {
      for (const [id, context] of contextsOf(passage, run, joined)) contexts.set(id, context);
    }
  }
  return contexts;
}

/** Chunks of one document that follow each other without a gap. Of several at one place the first counts: the hit. */
function runsOf(chunks: PlacedChunk[]): PlacedChunk[][] {
  const runs: PlacedChunk[][] = [];
  let last: PlacedChunk | undefined;
  const isSame = (chunk: PlacedChunk) => chunk.documentId === last?.documentId;
  const inOrder = chunks.toSorted((a, b) =>
    a.documentId === b.documentId ? a.ordinal - b.ordinal : a.documentId < b.documentId ? -1 : 1,
  );
  for (const chunk of inOrder) {
    if (isSame(chunk) && chunk.ordinal === last?.ordinal) continue;
    if (isSame(chunk) && chunk.ordinal - 1 === last?.ordinal) runs.at(-1)?.push(chunk);
    else runs.push([chunk]);
    last = chunk;
  }
  return runs;
}

function around(
  place: number,
  { text, places }: JoinedChunks,
  { before, after, unit }: ContextRequest,
): { from: number; to: number } {
  if (unit === 'chunks') {
    const first = places[Math.max(0, place - before)];
    const last = places[Math.min(places.length - 1, place + after)];
    return { from: first?.start ?? 0, to: last?.end ?? text.length };
  }
  const { start = 0, end = text.length } = places[place] ?? {};
  return { from: cutBefore(text, start, before), to: cutAfter(text, end, after) };
}

/** Hits of one text as passages of it. */
function merge(wanted: Wanted[], text: string): Passage[] {
  const passages: Passage[] = [];
  for (const hit of wanted.toSorted((a, b) => a.from - b.from)) {
    const last = passages.at(-1);
    if (last && (hit.from <= last.to || text.slice(last.to, hit.from).trim() === '')) {
      last.to = Math.max(last.to, hit.to);
      last.hits.push(hit);
    } else passages.push({ from: hit.from, to: hit.to, hits: [hit] });
  }
  return passages;
}

function contextsOf(
  { from, to, hits }: Passage,
  run: PlacedChunk[],
  { text, places }: JoinedChunks,
): [id: string, HitContext][] {
  const first = run[places.findLastIndex(({ start }) => start <= from)]?.ordinal ?? 0;
  const last = run[places.findIndex(({ end }) => end >= to)]?.ordinal ?? 0;
  const best = hits.reduce((a, b) => (b.rank < a.rank ? b : a));
  return hits.map((hit) => [
    hit.id,
    {
      text: hit === best ? text.slice(from, to) : null,
      sameAs: hit === best ? null : best.id,
      ordinals: { first, last },
      start: hit.start - from,
      end: hit.end - from,
    },
  ]);
}
