import { setImmediate } from 'node:timers/promises';
import { ANALYZER_VERSION, analyze, type Term, tenantPrefix } from './ranking/analyze.js';

/** Largest position in a tsvector. */
const MAX_POSITION = 16_383;

export interface SearchableChunk {
  content: string;
  contentComplement: string;
  keywords: Record<string, number>;
}

export interface ChunkTerms {
  /** A tsvector in PostgreSQL's text form: `'word':1,5 'other':2`. */
  terms: string;
  /** How many terms the chunk has, repetitions included. */
  length: number;
  /** Version of the analysis that made them. */
  analyzer: number;
}

/**
 * The search terms of a chunk, as stored for both engines. Other requests go on between the two halves of the
 * work.
 */
export async function analyzeChunk(tenantId: string, chunk: SearchableChunk): Promise<ChunkTerms> {
  const terms = analyze(searchableText(chunk));
  await setImmediate();
  return { terms: toTsvector(tenantId, terms), length: terms.length, analyzer: ANALYZER_VERSION };
}

/** The chunk's text under its headings, and the keywords that are not words of it already. */
function searchableText({ content, contentComplement, keywords }: SearchableChunk): string {
  const lowerCase = content.toLowerCase();
  const further = Object.keys(keywords).filter((word) => !lowerCase.includes(word.toLowerCase()));
  return [contentComplement, content, ...further].filter(Boolean).join('\n');
}

function toTsvector(tenantId: string, terms: Term[]): string {
  const prefix = tenantPrefix(tenantId);
  const places = new Map<string, number[]>();
  for (const { term, position } of terms) {
    const at = places.get(term);
    const place = Math.min(position + 1, MAX_POSITION);
    if (at) at.push(place);
    else places.set(term, [place]);
  }
  return [...places].map(([term, at]) => `'${prefix}${term}':${at.join(',')}`).join(' ');
}
