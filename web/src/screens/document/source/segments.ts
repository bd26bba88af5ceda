import type { Outputs } from '../../../api/trpc';

export type SourcePage = Outputs['documents']['sourceText']['pages'][number];

/** A stretch of text that is in the same chunks throughout. */
export interface Segment {
  start: number;
  text: string;
  /** In the order of the document; empty where it is in none that is still there. */
  chunkIds: string[];
}

/** Cuts a page wherever a chunk begins or ends; where chunks overlap, a stretch is in several. */
export function toSegments({ text, chunks }: Pick<SourcePage, 'text' | 'chunks'>): Segment[] {
  const known = chunks.flatMap(({ chunkId, start, end }) =>
    chunkId === null ? [] : [{ chunkId, start, end }],
  );
  const cuts = new Set([0, text.length, ...known.flatMap(({ start, end }) => [start, end])]);
  const places = [...cuts].sort((a, b) => a - b);
  return places.slice(0, -1).map((start, index) => {
    const end = places[index + 1] as number;
    return {
      start,
      text: text.slice(start, end),
      chunkIds: known.filter((chunk) => chunk.start < end && chunk.end > start).map(({ chunkId }) => chunkId),
    };
  });
}
