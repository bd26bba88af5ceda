import type { ChunkQuery } from '../chunk-index.js';
import type { Place } from '../ranking/choices.js';
import { MAX_ANALYZED_CHARACTERS } from '../ranking/query-terms.js';
import { QUOTED } from '../typos/query-words.js';
import type { SynonymRule, Trigger, Triggers } from './compile.js';
import { unitsOf } from './phrase.js';

/** What a phrase of a question is also searched as. */
export interface FoundSynonym {
  /** The phrase, as a rule has it. */
  word: string;
  units: string[];
  alternatives: { text: string; within: Place[] | undefined }[];
}

/** Finds the phrases of a question that rules for the searched datasets have: the longest, from left to right, each once. */
export function findSynonyms(query: ChunkQuery, triggers: Triggers): FoundSynonym[] {
  const found = new Map<string, FoundSynonym>();
  // In quotation marks a text means what it says, and no phrase goes across it.
  for (const part of query.text.slice(0, MAX_ANALYZED_CHARACTERS).split(QUOTED)) {
    const units = unitsOf(part);
    for (let at = 0; at < units.length; ) {
      const matching = longest(
        (triggers.get(units[at] as string) ?? []).filter(
          (one) => isAt(one.units, units, at) && placesOf(one.rule, query).length > 0,
        ),
      );
      const [first] = matching;
      if (first) found.set(first.units.join(' '), toFound(first, matching, query));
      at += first?.units.length ?? 1;
    }
  }
  return [...found.values()].filter(({ alternatives }) => alternatives.length > 0);
}

const isAt = (part: string[], units: string[], at: number): boolean =>
  part.every((unit, i) => unit === units[at + i]);

function longest(triggers: Trigger[]): Trigger[] {
  const length = Math.max(...triggers.map(({ units }) => units.length));
  return triggers.filter(({ units }) => units.length === length);
}

function toFound({ term, units }: Trigger, matching: Trigger[], query: ChunkQuery): FoundSynonym {
  const own = units.join(' ');
  const places = new Map<string, { text: string; where: Place[] }>();
  for (const { rule } of matching) {
    for (const text of rule.replacements ?? rule.terms) {
      const key = unitsOf(text).join(' ');
      if (key === own || key === '') continue;
      const known = places.get(key) ?? { text, where: [] };
      known.where.push(...placesOf(rule, query));
      places.set(key, known);
    }
  }
  const searched = [query.tenantUnitId].flat().length * query.datasetIds.length;
  const alternatives = [...places.values()].map(({ text, where }) => ({
    text,
    within: distinct(where) < searched ? where : undefined,
  }));
  return { word: term, units, alternatives };
}

/** Those of the searched datasets that a rule is for. */
const placesOf = ({ tenantUnitId, datasetIds }: SynonymRule, query: ChunkQuery): Place[] =>
  query.datasetIds
    .filter((datasetId) => !datasetIds || datasetIds.includes(datasetId))
    .map((datasetId) => ({ tenantUnitId, datasetId }));

const distinct = (places: Place[]): number =>
  new Set(places.map(({ tenantUnitId, datasetId }) => JSON.stringify([tenantUnitId, datasetId]))).size;
