import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import {
  type Candidate,
  type ChunkIndex,
  type ChunkQuery,
  type MissCause,
  type ScoreParts,
  type SearchEngine,
  type SearchMode,
  scorePartsOf,
} from '../chunk-index.js';
import { describeQueueError } from '../embedding/queue-errors.js';
import { passing } from '../filter/condition.js';
import { inVisibleDocument } from '../in-visible-document.js';
import { readCorpusStatistics } from '../postgres/postings/corpus.js';
import { type CountedChunk, countTerms } from '../ranking/count-terms.js';
import { parseQuery } from '../ranking/query-terms.js';
import { rankChunks } from '../ranking/rank.js';
import { readChunkTerms } from '../ranking/read-chunk-terms.js';
import { type QueryExplanation, toExplained } from './explain-terms.js';

/** How far down a chunk is looked for. */
const MAX_RANK = 1_000;

export interface ChunkExplanation extends ScoreParts {
  chunkId: string;
  /** From 1; null where the search does not find it. */
  rank: number | null;
  score: number | null;
  held: string[];
  missed: string[];
  /** Why it is not found, or not among the hits; empty where it is. */
  reasons: string[];
  /** What each of them says, as a word. */
  causes: MissCause[];
}

interface Miss {
  cause: MissCause;
  reason: string;
}

export interface Explanation extends QueryExplanation {
  engine: SearchEngine;
  mode: SearchMode;
  hits: (ScoreParts & { chunkId: string; score: number })[];
  /** Whether the least relevant matches were left out. */
  truncated: boolean;
  chunk?: ChunkExplanation;
}

/** Explains which terms a search uses, what it finds, and why a given chunk is or is not a hit. */
export async function explainSearch(
  { db, index }: { db: Database; index: Pick<ChunkIndex, 'search'> },
  query: ChunkQuery,
  { chunkId }: { chunkId?: string | undefined } = {},
): Promise<Explanation> {
  const queryTerms = parseQuery(query);
  const { terms } = queryTerms;
  const corpus = await readCorpusStatistics(db, query, queryTerms);
  const limit = Math.max(query.limit, chunkId ? MAX_RANK : 0);
  const { engine, mode, candidates, isTruncated } = await index.search({ ...query, limit });
  const visible = await findVisible(db, query, candidates);
  const found = candidates.filter(({ chunkId }) => visible.has(chunkId));
  return {
    engine,
    mode,
    terms: toExplained(terms, corpus.frequencies),
    chunks: corpus.size,
    hits: found.slice(0, query.limit).map((one) => ({
      chunkId: one.chunkId,
      score: one.score,
      ...scorePartsOf(one),
    })),
    truncated: isTruncated,
    ...(chunkId !== undefined && { chunk: await explainChunk(chunkId) }),
  };

  async function explainChunk(chunkId: string): Promise<ChunkExplanation> {
    const place = found.findIndex((candidate) => candidate.chunkId === chunkId);
    const counted = await countTerms(queryTerms, await readChunkTerms(db, query.tenantId, [chunkId]));
    const held = terms.filter((_, i) => (counted[0]?.counts[i] ?? 0) > 0);
    const rank = place < 0 ? null : place + 1;
    const misses =
      rank !== null && rank <= query.limit ? [] : await explainMiss(chunkId, rank, held, counted);
    return {
      chunkId,
      rank,
      score: found[place]?.score ?? null,
      ...scorePartsOf(found[place]),
      held,
      missed: terms.filter((term) => !held.includes(term)),
      reasons: misses.map(({ reason }) => reason),
      causes: misses.map(({ cause }) => cause),
    };
  }

  async function explainMiss(
    chunkId: string,
    rank: number | null,
    held: string[],
    counted: CountedChunk[],
  ): Promise<Miss[]> {
    const hidden = await readHidden(db, query, chunkId);
    if (!hidden) return [{ cause: 'unknown', reason: 'There is no such chunk in this tenant.' }];
    if (rank !== null)
      return [...hidden, { cause: 'lowRank', reason: `It has rank ${rank}; ${query.limit} are asked for.` }];
    const unembedded = mode === 'lexical' ? [] : await explainMissingVector(db, query.tenantId, chunkId);
    if (held.length === 0) return [...hidden, explainNoTerm(unembedded.length === 0), ...unembedded];
    return [...(hidden.length > 0 ? hidden : [explainLowRank(counted)]), ...unembedded];
  }

  function explainNoTerm(isEmbedded: boolean): Miss {
    return mode !== 'lexical' && isEmbedded
      ? { cause: 'farther', reason: 'It holds no term of the question, and others are nearer by meaning.' }
      : { cause: 'noTerm', reason: 'It holds no term of the question.' };
  }

  function explainLowRank(counted: CountedChunk[]): Miss {
    const [own] = rankChunks(queryTerms, corpus, counted);
    const worst = found.at(-1)?.score ?? 0;
    const isByWords = mode === 'lexical' && found.every(({ rerank }) => rerank === undefined);
    if (!own || found.length < MAX_RANK || (isByWords && own.score > worst)) {
      return {
        cause: 'unindexed',
        reason: 'The index lacks it. Put that right with: lectern search verify --repair',
      };
    }
    const others = `More than ${found.length} others come before it`;
    const scores = `its score is ${own.score.toFixed(4)}, theirs go down to ${worst.toFixed(4)}`;
    return { cause: 'outranked', reason: isByWords ? `${others}: ${scores}.` : `${others}.` };
  }
}

/** Why a chunk's text has no vector; empty where it has one. */
async function explainMissingVector(db: Database, tenantId: string, chunkId: string): Promise<Miss[]> {
  const [text, queued] = await Promise.all([
    db
      .selectFrom('chunkTexts')
      .select('chunkId')
      .where('tenantId', '=', tenantId)
      .where('chunkId', '=', chunkId)
      .executeTakeFirst(),
    db
      .selectFrom('embeddingQueue')
      .select('error')
      .where('tenantId', '=', tenantId)
      .where('chunkId', '=', chunkId)
      .executeTakeFirst(),
  ]);
  if (text) return [];
  if (queued?.error) {
    const reason = `Its text could not be embedded: ${describeQueueError(queued.error)}`;
    return [{ cause: 'unembeddable', reason }];
  }
  return [{ cause: 'unembedded', reason: 'Its text is not embedded yet.' }];
}

/** The index may propose chunks that are dropped when they are read. */
async function findVisible(db: Database, query: ChunkQuery, candidates: Candidate[]): Promise<Set<string>> {
  const { tenantId, tenantUnitId } = query;
  const { rows } = await sql<{ id: string }>`
    select c.id
    from unnest(${candidates.map(({ chunkId }) => chunkId)}::text[]) as asked (id)
    cross join lateral (
      select id, document_id from chunks
      where tenant_id = ${tenantId} and id = asked.id and tenant_unit_id = any(${[tenantUnitId].flat()})
        and status = 'active' and not deleted limit 1) as c
    ${inVisibleDocument(query)}
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** What keeps a chunk from being found whatever is asked; undefined where there is none. */
async function readHidden(db: Database, query: ChunkQuery, chunkId: string): Promise<Miss[] | undefined> {
  const { rows } = await sql<Record<ChunkReason, boolean>>`
    select c.tenant_unit_id <> all(${[query.tenantUnitId].flat()}) as other_unit,
      c.deleted, c.status <> 'active' as inactive, not d.enabled as disabled,
      not exists (select from document_datasets as s
        where s.tenant_id = ${query.tenantId} and s.document_id = c.document_id
          and s.dataset_id = any(${query.datasetIds})) as other_dataset,
      not exists (select from (select) as one ${passing(query, sql`c.id`)}) as filtered_out
    from chunks as c
    join documents as d on d.tenant_id = ${query.tenantId} and d.id = c.document_id
    where c.id = ${chunkId} and c.tenant_id = ${query.tenantId}
  `.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const queued = await db
    .selectFrom('searchOutbox')
    .select('error')
    .where('tenantId', '=', query.tenantId)
    .where('chunkId', '=', chunkId)
    .executeTakeFirst();
  const reasons = {
    ...row,
    waiting: queued?.error === null,
    refused: typeof queued?.error === 'string',
  };
  const causes = Object.keys(HIDDEN_REASONS) as HiddenReason[];
  return causes
    .filter((cause) => reasons[cause])
    .map((cause) => ({ cause, reason: HIDDEN_REASONS[cause](queued?.error ?? '') }));
}

const HIDDEN_REASONS = {
  otherUnit: () => 'It is in another tenant unit.',
  deleted: () => 'It is deleted.',
  inactive: () => 'It is inactive.',
  disabled: () => 'Its document is disabled.',
  otherDataset: () => 'Its document is in none of these datasets.',
  filteredOut: () => 'It does not pass the filter.',
  waiting: () => 'Its last change has not reached the index yet.',
  refused: (error: string) => `The search server refused it: ${error}`,
} satisfies Partial<Record<MissCause, (error: string) => string>>;
type HiddenReason = keyof typeof HIDDEN_REASONS;
/** Those of the chunk itself. */
type ChunkReason = Exclude<HiddenReason, 'waiting' | 'refused'>;
