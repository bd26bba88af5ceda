import { sql } from 'kysely';
import { visitOrdinals } from '../postgres/postings/segment-metadata.js';
import type { SegmentOrdinals } from '../postgres/postings/top-chunks.js';
import type { EntryRange } from './entry.js';

/** The chunks that may pass. */
export interface Passing {
  /** Where they are in the segments of the query's datasets. Those in which there is none are left out. */
  ordinals: SegmentOrdinals;
  /** All of these segments. */
  segmentIds: ReadonlySet<number>;
  /** Whether all of them pass. */
  isExact: boolean;
  /** Whether their documents pass. */
  isOfDocuments: boolean;
  /** Of the documents, where they have few chunks. */
  documentIds: string[] | undefined;
}

/**
 * Rows for `collectPassing` from the common table expressions `segments`, `passing` with the ids of documents that pass,
 * `blocks` and `chosen`.
 */
export const selectPassing = (tenantId: string) => sql`
  select 'segment' as kind, id as segment_id, null::bytea as bytes, not has_metadata as is_partial, false as is_too_many,
    null::text[] as ids, chunks as number
  from segments
  union all
  select 'ordinals', o.segment_id, string_agg(o.ordinals, ''), bool_or(o.ordinals is null), false, null, null
  from passing as p
  cross join lateral (
    select segment_id, ordinals from posting_segment_documents
    where tenant_id = ${tenantId} and document_id = p.id offset 0) as o
  where o.segment_id = any(array(select id from segments))
  group by o.segment_id
  union all
  select 'source', null, null, false, false, null, place from chosen
  union all
  select 'block', segment_id, entries, false, false, null, range
  from blocks where place in (select place from chosen)`;

/** What one statement says of them. */
export interface PassingRow {
  kind: 'documents' | 'segment' | 'ordinals' | 'source' | 'block';
  segmentId: number;
  bytes: Buffer | null;
  /** Whether a segment of a former release does not say where its documents' chunks are, or what metadata they have. */
  isPartial: boolean;
  isTooMany: boolean;
  ids: string[] | null;
  /** Of a segment its chunks, of a source its place, of a block its range. */
  number: number | null;
}

interface Asked {
  /** Whether documents were looked for. */
  isOfDocuments: boolean;
  isExact: boolean;
  /** Sources of chunks. */
  metadata: EntryRange[][];
}

/** The chunks that may pass by documents and by metadata. */
export function collectPassing(rows: PassingRow[], asked: Asked): Passing | undefined {
  const segments = rows.filter(({ kind }) => kind === 'segment');
  const segmentIds = new Set(segments.map(({ segmentId }) => segmentId));
  const documents = asked.isOfDocuments ? collectDocuments(rows) : undefined;
  const places = rows.filter(({ kind }) => kind === 'source').map(({ number }) => number);
  if (!documents && places.length === 0) return undefined;
  const { ordinals, documentIds } = documents ?? {};
  const blocks = bySegment(rows.filter(({ kind }) => kind === 'block'));
  const ranges = asked.metadata.flatMap((source, place) => source.map((range) => ({ range, place })));
  const passing = new Map<number, Uint32Array>();
  for (const { segmentId, number, isPartial } of segments) {
    const found = ordinals?.get(segmentId);
    if (ordinals && !found) continue;
    const known = isPartial ? [] : places;
    let left = found;
    for (const place of known) {
      const collector = new OrdinalCollector();
      for (const { bytes, number: i } of blocks.get(segmentId) ?? []) {
        const asked = ranges[i ?? -1];
        if (asked?.place === place && bytes) visitOrdinals(bytes, asked.range, collector.add);
      }
      const ordinals = collector.finish();
      left = left ? intersect(left, ordinals) : ordinals;
    }
    left ??= Uint32Array.from({ length: number ?? 0 }, (_, ordinal) => ordinal);
    if (left.length > 0) passing.set(segmentId, left);
  }
  const isOfDocuments = documents !== undefined;
  return { ordinals: passing, segmentIds, isExact: asked.isExact, isOfDocuments, documentIds };
}

function collectDocuments(rows: PassingRow[]) {
  const [documents] = rows.filter(({ kind }) => kind === 'documents');
  if (!documents || documents.isTooMany) return undefined;
  const documentIds = documents.ids ?? undefined;
  const found = rows.filter(({ kind }) => kind === 'ordinals');
  if (!documentIds && found.some(({ isPartial }) => isPartial)) return undefined;
  const ordinals = new Map<number, Uint32Array>();
  for (const { segmentId, bytes } of found) if (bytes) ordinals.set(segmentId, toOrdinals(bytes));
  return { ordinals, documentIds };
}

function bySegment(rows: PassingRow[]): Map<number, PassingRow[]> {
  const groups = new Map<number, PassingRow[]>();
  for (const row of rows) {
    const group = groups.get(row.segmentId);
    if (group) group.push(row);
    else groups.set(row.segmentId, [row]);
  }
  return groups;
}

/** Collects ordinals that come in any order, some more than once; most are in ascending order. */
class OrdinalCollector {
  readonly #ordinals: number[] = [];
  #last = -1;
  #isAscending = true;

  readonly add = (ordinal: number): void => {
    if (ordinal === this.#last) return;
    if (ordinal < this.#last) this.#isAscending = false;
    this.#last = ordinal;
    this.#ordinals.push(ordinal);
  };

  /** In ascending order, each once. */
  finish(): Uint32Array {
    const ordinals = Uint32Array.from(this.#ordinals);
    return this.#isAscending
      ? ordinals
      : ordinals.sort().filter((one, place) => place === 0 || one !== ordinals[place - 1]);
  }
}

/** Those that are in both lists, which are in ascending order. */
function intersect(one: Uint32Array, other: Uint32Array): Uint32Array {
  let at = 0;
  return one.filter((ordinal) => {
    while (at < other.length && (other[at] as number) < ordinal) at++;
    return other[at] === ordinal;
  });
}

/** Of four bytes each, in ascending order. */
export function toOrdinals(bytes: Buffer): Uint32Array {
  const ordinals = new Uint32Array(bytes.length / 4);
  for (let i = 0; i < ordinals.length; i++) ordinals[i] = bytes.readUInt32BE(4 * i);
  return ordinals.sort();
}
