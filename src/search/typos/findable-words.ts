import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import type { ChunkQuery } from '../chunk-index.js';
import { inVisibleDocument } from '../in-visible-document.js';
import { readOrdinals } from '../postgres/postings/posting-format.js';
import { type FoundPostings, type PostingLimits, readPostings } from '../postgres/postings/read-postings.js';
import { termOf } from '../ranking/analyze.js';
import { chunkIdAt, type SegmentChunk } from '../ranking/read-chunk-terms.js';

/** A word of segments or of changed chunks. */
export interface VocabularyWord {
  word: string;
  /** Whether all chunks that hold it can be found: those of segments of which nothing has changed or gone. */
  isCurrent: boolean;
}

/** Leaves the words that a chunk holds which the query may find. */
export type Findable = (words: VocabularyWord[]) => Promise<Set<string>>;

const LIMITS: PostingLimits = { bytes: 100_000, lookups: 4_000, changed: 0 };
/** Chunks that are looked up for one word, from all over the segments; more where none of these can be found. */
const SAMPLES = [4, 40];
/** How often it starts again because segments were merged under it. */
const MAX_ATTEMPTS = 3;

/**
 * Segments also have the words of chunks that have changed or gone since, and of those that are disabled or have left the
 * datasets. Such a word is neither shown, nor does it take the place of another one. What was looked up is kept for the
 * query. A word that is in too many chunks to be looked up counts as one that can be found.
 */
export function createFindable(db: Database, query: ChunkQuery): Findable {
  const known = new Map<string, boolean>();
  return async (words) => {
    const unknown = words.filter(({ word, isCurrent }) => !isCurrent && !known.has(word));
    if (unknown.length > 0) {
      const asked = [...new Set(unknown.map(({ word }) => word))];
      const found = await readFindable(db, query, asked);
      for (const word of asked) known.set(word, found.has(word));
    }
    return new Set(
      words.filter(({ word, isCurrent }) => isCurrent || known.get(word)).map(({ word }) => word),
    );
  };
}

async function readFindable(db: Database, query: ChunkQuery, words: string[]): Promise<Set<string>> {
  const terms = [...new Set(words.map(termOf))];
  const asked = words.map((word) => {
    const term = termOf(word);
    return { word, term, place: terms.indexOf(term) };
  });
  for (let attempt = 1; ; attempt++) {
    const found = await readPostings(db, query, terms, LIMITS);
    const unread = [...found.frequencies];
    for (const { postings } of found.segments)
      for (const [place, { count }] of postings) (unread[place] as number) -= count;
    const findable = new Set(asked.filter(({ place }) => (unread[place] ?? 0) > 0).map(({ word }) => word));
    let isGone = false;
    for (const size of SAMPLES) {
      const missing = asked.filter(({ word }) => !findable.has(word));
      const holders = missing.flatMap(({ word, term, place }) =>
        sampleOf(found, place, size).map((one) => ({ word, term, ...one })),
      );
      if (holders.length === 0) break;
      for (const row of await readHolders(db, query, holders)) {
        isGone ||= row.isGone;
        if (!row.isGone) findable.add(row.word);
      }
    }
    if (!isGone || attempt === MAX_ATTEMPTS) return findable;
  }
}

/** Some of the chunks that hold a term, as many of each segment. */
function sampleOf({ segments }: FoundPostings, place: number, size: number): SegmentChunk[] {
  const lists = segments.flatMap(({ id, postings }) => {
    const list = postings.get(place);
    return list ? [{ segmentId: id, list }] : [];
  });
  const ofEach = Math.max(1, Math.floor(size / lists.length));
  return lists
    .slice(0, size)
    .flatMap(({ segmentId, list }) => readOrdinals(list, ofEach).map((ordinal) => ({ segmentId, ordinal })));
}

interface Holder extends SegmentChunk {
  word: string;
  term: string;
}

/** The words of those chunks that hold them now and can be found; and of segments that are gone. */
async function readHolders(
  db: Database,
  query: ChunkQuery,
  holders: Holder[],
): Promise<{ word: string; isGone: boolean }[]> {
  const { tenantId } = query;
  const units = [query.tenantUnitId].flat();
  const columns = [
    sql`${holders.map(({ word }) => word)}::text[]`,
    sql`${holders.map(({ term }) => term)}::text[]`,
    sql`${holders.map(({ segmentId }) => segmentId)}::bigint[]`,
    sql`${holders.map(({ ordinal }) => ordinal)}::integer[]`,
  ];
  // Looked up one by one through an index, whatever the planner's statistics are: `limit` sees to that.
  const { rows } = await sql<{ word: string; isGone: boolean }>`
    select distinct named.word, named.id is null as is_gone
    from (
      select asked.word, asked.term, (${chunkIdAt(tenantId)}) as id
      from unnest(${sql.join(columns)}) as asked (word, term, segment_id, ordinal)
      offset 0) as named
    left join lateral (
      select true as is_findable
      from (
        select id, document_id from chunks
        where tenant_id = ${tenantId} and id = named.id and tenant_unit_id = any(${units})
          and status = 'active' and not deleted limit 1) as c
      cross join lateral (
        select ' ' || terms || ' ' as terms, ' ' || words || ' ' as words from chunk_terms
        where tenant_id = ${tenantId} and chunk_id = c.id limit 1) as t
      ${inVisibleDocument(query)}
      where case when named.word = named.term
        then strpos(t.terms, ' ' || named.word || ' ') > 0 and strpos(t.words, ' -' || named.word || ' ') = 0
        else strpos(t.words, ' ' || named.word || ' ') > 0 end
    ) as found on true
    where named.id is null or is_findable
  `.execute(db);
  return rows;
}
