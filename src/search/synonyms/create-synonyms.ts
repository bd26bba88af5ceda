import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../../../db/schema.js';
import { runYielding } from '../../async/steps.js';
import type { ChunkQuery, QueryScope, SearchCandidates } from '../chunk-index.js';
import type { QueryTerms } from '../ranking/bm25.js';
import { parseQuery } from '../ranking/query-terms.js';
import { CACHE_MS } from './cache-lifetime.js';
import { compileInSteps, NO_PHRASES, type Phrases, type SynonymRule } from './compile.js';
import { findSynonymsInSteps } from './find-synonyms.js';
import { withSynonyms } from './with-synonyms.js';

/** Rules that a search of several units uses, the oldest of each. */
export const MAX_RULES_OF_SEARCH = 5_000;
/** In memory, of all tenants; the rules of those who searched least recently are read again. */
const MAX_CHARACTERS = 10_000_000;
const MAX_ENTRIES = 10_000;

export interface ParsedQuestion {
  /** With the terms of synonyms. */
  terms: QueryTerms;
  /** How many of them are the question's own: the first. */
  own: number;
  synonyms: Pick<SearchCandidates, 'synonyms'>;
}

export interface Synonyms {
  /** The terms of a question with those of its synonyms. */
  parse(query: ChunkQuery): Promise<ParsedQuestion>;
}

interface Rules {
  /** What they are compared by with those of the database. */
  version: string;
  phrases: Phrases;
  characters: number;
}

interface Entry {
  sentMs: number;
  rules: Promise<Rules>;
  characters: number;
}

const NONE: Rules = { version: '', phrases: NO_PHRASES, characters: 0 };

/**
 * Adds the synonyms of tenants to their questions. What is read of them answers the searches of 200 ms; after that it is
 * compared with the database by a hash.
 *
 * @param now monotonic clock, in milliseconds
 */
export function createSynonyms({
  db,
  now = () => performance.now(),
}: {
  db: Database;
  now?: () => number;
}): Synonyms {
  /** By tenant and units; those that were looked up last are the last. */
  const entries = new Map<string, Entry>();
  let characters = 0;
  return { parse };

  async function parse(query: ChunkQuery): Promise<ParsedQuestion> {
    const own = parseQuery(query);
    const plain = { terms: own, own: own.terms.length, synonyms: {} };
    if (query.synonyms === false || own.terms.length === 0 || query.datasetIds.length === 0) return plain;
    const { phrases } = await readRules(query);
    if (phrases.byUnits.size === 0) return plain;
    const found = await runYielding(findSynonymsInSteps(query, phrases));
    const { terms, used } = withSynonyms(own, found, query.language);
    if (used.length === 0) return plain;
    const synonyms = used.map(({ word, alternatives }) => ({
      word,
      instead: alternatives.map(({ text }) => text),
    }));
    return { terms, own: own.terms.length, synonyms: { synonyms } };
  }

  function readRules({ tenantId, tenantUnitId }: QueryScope): Promise<Rules> {
    const units = [tenantUnitId].flat();
    // Of a thousand units it is half a megabyte.
    const key = hash('sha256', JSON.stringify([tenantId, units]));
    const known = entries.get(key);
    const nowMs = now();
    if (known && nowMs - known.sentMs < CACHE_MS) {
      // What is read for a client that disconnects is cancelled.
      return known.rules.catch(() => load(tenantId, units));
    }
    const entry: Entry = {
      sentMs: nowMs,
      rules: load(tenantId, units, known?.rules),
      characters: known?.characters ?? 0,
    };
    entries.delete(key);
    entries.set(key, entry);
    entry.rules.then(
      (rules) => resize(key, entry, rules.characters),
      () => entries.get(key) === entry && remove(key, entry),
    );
    return entry.rules;
  }

  async function load(tenantId: string, units: string[], last = Promise.resolve(NONE)): Promise<Rules> {
    const version = await readVersion(db, tenantId, units);
    const known = await last.catch(() => NONE);
    if (version === known.version) return known;
    if (version === NONE.version) return NONE;
    const rules = await readStored(db, tenantId, units);
    const size = rules.reduce((sum, rule) => sum + JSON.stringify(rule).length, 0);
    return { version, phrases: await runYielding(compileInSteps(rules)), characters: size };
  }

  function resize(key: string, entry: Entry, size: number): void {
    if (entries.get(key) !== entry) return;
    characters += size - entry.characters;
    entry.characters = size;
    for (const [oldest, other] of entries) {
      if (characters <= MAX_CHARACTERS && entries.size <= MAX_ENTRIES) return;
      remove(oldest, other);
    }
  }

  function remove(key: string, entry: Entry): void {
    entries.delete(key);
    characters -= entry.characters;
  }
}

/** @returns the empty text where there are none */
async function readVersion(db: Database, tenantId: string, units: string[]): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select coalesce(sum(hashtextextended(
      concat_ws(' ', id, dataset_ids::text, '|', terms::text, '|', replacements::text), 0)::numeric)::text, '') as version
    from search_synonyms where tenant_id = ${tenantId} and tenant_unit_id = any(${units})
  `.execute(db);
  return rows[0]?.version ?? '';
}

async function readStored(db: Database, tenantId: string, units: string[]): Promise<SynonymRule[]> {
  return db
    .selectFrom('searchSynonyms')
    .select(['tenantUnitId', 'datasetIds', 'terms', 'replacements'])
    .where('tenantId', '=', tenantId)
    .where('tenantUnitId', 'in', units)
    .orderBy('createdTime')
    .orderBy('id')
    .limit(MAX_RULES_OF_SEARCH)
    .execute();
}
