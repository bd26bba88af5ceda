import type { Database } from '../../../db/schema.js';
import { unavailable } from '../../errors/errors.js';
import { findBestChunks } from '../postgres/postings/best-chunks.js';
import { toCorpusStatistics } from '../postgres/postings/corpus.js';
import type { PostingCache } from '../postgres/postings/posting-cache.js';
import { DEFAULT_LIMITS, readPostings } from '../postgres/postings/read-postings.js';
import { weighQuery } from '../ranking/bm25.js';
import { countTerms } from '../ranking/count-terms.js';
import { parseQuery } from '../ranking/query-terms.js';
import { bestFirst, rankChunks } from '../ranking/rank.js';
import { findOrdinals } from './find-ordinals.js';
import { MESSAGES } from './message-entries.js';
import type { MessageQuery } from './message-query.js';
import { type MessageCandidate, readCandidates, readUnits } from './read-candidates.js';
import { readUnindexed } from './read-unindexed.js';

export interface FoundMessage {
  conversationId: string;
  /** Null: the topic of the conversation. */
  messageId: string | null;
  /** 0 to 1. */
  score: number;
}

/** Messages ranked with pairs, at least, and at most where few of them pass the filters. */
const MIN_RANKED = 100;
const MAX_RANKED = 10_000;
/** Read by one statement, whose time is limited. */
const READ_AT_ONCE = 500;
/** How often a search starts again because segments were merged under it. */
const MAX_ATTEMPTS = 10;

export type MessageIndex = ReturnType<typeof createMessageIndex>;

/**
 * Finds messages and topics by their words, as chunks are found: BM25 with pairs, over postings, and over the newest of the
 * messages that are not indexed yet.
 *
 * @returns a function that returns the best first; `isTruncated` where there may be more that were not looked at
 */
export function createMessageIndex({ db, cache }: { db: Database; cache: PostingCache }) {
  return async (query: MessageQuery): Promise<{ found: FoundMessage[]; isTruncated: boolean }> => {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const answer = await searchOnce(db, query, cache);
      if (answer) return answer;
    }
    throw unavailable('The search index changes too fast.');
  };
}

/** @returns undefined when a segment was merged meanwhile */
async function searchOnce(db: Database, query: MessageQuery, cache: PostingCache) {
  const { tenantId, limit } = query;
  const terms = parseQuery(query);
  if (terms.terms.length === 0) return { found: [], isTruncated: false };
  // In this order: what is indexed meanwhile is read twice, and nothing is missed.
  const unindexed = await readUnindexed(db, query);
  const units = query.tenantUnitIds ?? (await readUnits(db, tenantId));
  const scope = { tenantId, tenantUnitId: [...units], datasetIds: [MESSAGES] };
  const passing = await findOrdinals(db, scope, query);
  const among = passing && [...passing.ordinals.keys()];
  const limits = { ...DEFAULT_LIMITS, changed: 0, among };
  const postings = await readPostings(db, scope, terms.terms, limits, cache);
  if (passing && !postings.segments.every(({ id }) => passing.segmentIds.has(id))) return undefined;
  const fresh = await countTerms(terms, unindexed.messages);
  const corpus = toCorpusStatistics(postings, fresh);
  const weights = weighQuery(terms, corpus);
  const scored = { segments: postings.segments, weights, corpus, ordinals: passing?.ordinals };
  const places = new Map<string, MessageCandidate>(unindexed.messages.map((one) => [one.chunkId, one]));
  const candidates = new Map(rankChunks(terms, corpus, fresh).map((one) => [one.chunkId, one]));
  let isTruncated = postings.isTruncated || unindexed.isTruncated;
  let read = 0;
  for (const depth of [Math.max(MIN_RANKED, 2 * limit), MAX_RANKED]) {
    const best = await findBestChunks(scored, depth);
    while (read < best.length && (read < MIN_RANKED || candidates.size < limit)) {
      const next = best.slice(read, read + READ_AT_ONCE);
      const candidatesRead = await readCandidates(db, query, next);
      if (!candidatesRead) return undefined;
      read += next.length;
      const current = candidatesRead.filter(
        ({ messageId, conversationId }) =>
          messageId !== null || !unindexed.conversationIds.has(conversationId),
      );
      for (const one of current) places.set(one.chunkId, one);
      for (const one of rankChunks(terms, corpus, await countTerms(terms, current)))
        candidates.set(one.chunkId, one);
    }
    if (best.length < depth || candidates.size >= limit) break;
    isTruncated ||= depth === MAX_RANKED;
  }
  const found = [...candidates.values()].sort(bestFirst).slice(0, limit);
  return {
    found: found.flatMap(({ chunkId, score }) => {
      const place = places.get(chunkId);
      return place ? [{ conversationId: place.conversationId, messageId: place.messageId, score }] : [];
    }),
    isTruncated,
  };
}
