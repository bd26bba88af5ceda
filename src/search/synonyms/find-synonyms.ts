import type { Steps } from '../../async/steps.js';
import type { ChunkQuery } from '../chunk-index.js';
import type { Reach } from '../ranking/choices.js';
import { MAX_ANALYZED_CHARACTERS } from '../ranking/query-terms.js';
import { QUOTED } from '../typos/query-words.js';
import { type CompiledRule, keyOf, type Phrase, type Phrases } from './compile.js';
import { unitsOf } from './phrase.js';

/** What a phrase of a question is also searched as. */
export interface FoundSynonym {
  /** The phrase, as a rule has it. */
  word: string;
  units: string[];
  alternatives: { text: string; within: Reach | undefined }[];
}

/** Of all phrases of a question; those of its first phrases, by the oldest rules. */
export const MAX_ALTERNATIVES = 64;
/** Units and rules that are looked at in one step: about a millisecond. */
const WORK_OF_STEP = 5_000;

/** Finds the phrases of a question that rules for the searched datasets have: the longest, from left to right, each once. */
export function* findSynonymsInSteps(query: ChunkQuery, phrases: Phrases): Steps<FoundSynonym[]> {
  const scope = { units: new Set([query.tenantUnitId].flat()), datasets: new Set(query.datasetIds) };
  const found = new Map<Phrase, FoundSynonym>();
  let [count, work] = [0, 0];
  // In quotation marks a text means what it says, and no phrase goes across it.
  for (const part of query.text.slice(0, MAX_ANALYZED_CHARACTERS).split(QUOTED)) {
    const units = unitsOf(part);
    for (let at = 0; at < units.length; ) {
      let length = 0;
      for (const phrase of phrasesAt(units, at)) {
        work += phrase.rules.size;
        const one = found.get(phrase) ?? toFound(phrase, scope, MAX_ALTERNATIVES - count);
        if (one.alternatives.length === 0) continue;
        if (!found.has(phrase)) count += one.alternatives.length;
        found.set(phrase, one);
        length = phrase.units.length;
        break;
      }
      if (count >= MAX_ALTERNATIVES) return [...found.values()];
      work += phrases.longest.get(units[at] as string) ?? 1;
      at += Math.max(1, length);
      if (work < WORK_OF_STEP) continue;
      work = 0;
      yield;
    }
  }
  return [...found.values()];

  /** The longest first. */
  function phrasesAt(units: string[], at: number): Phrase[] {
    const most = phrases.longest.get(units[at] as string) ?? 0;
    const all: Phrase[] = [];
    let key = '';
    for (let i = at; i < Math.min(at + most, units.length); i++) {
      key = i === at ? (units[i] as string) : `${key} ${units[i]}`;
      const phrase = phrases.byUnits.get(key);
      if (phrase) all.unshift(phrase);
    }
    return all;
  }
}

interface Scope {
  units: ReadonlySet<string>;
  datasets: ReadonlySet<string>;
}

function toFound({ term, units, rules }: Phrase, scope: Scope, most: number): FoundSynonym {
  const own = keyOf(units);
  const found = new Map<string, { text: string; within: Map<string, Set<string> | null> }>();
  for (const rule of rules) {
    if (!isFor(rule, scope)) continue;
    for (const [key, text] of rule.texts) {
      if (key === own || key === '') continue;
      const known = found.get(key) ?? { text, within: new Map() };
      if (!found.has(key) && found.size === most) continue;
      found.set(key, known);
      addReach(known.within, rule);
    }
  }
  const isEverywhere = (within: Reach) => [...scope.units].every((unit) => within.get(unit) === null);
  const alternatives = [...found.values()].map(({ text, within }) => ({
    text,
    within: isEverywhere(within) ? undefined : within,
  }));
  return { word: term, units, alternatives };
}

const isFor = ({ tenantUnitId, datasets }: CompiledRule, scope: Scope): boolean =>
  scope.units.has(tenantUnitId) && (!datasets || [...datasets].some((one) => scope.datasets.has(one)));

function addReach(within: Map<string, Set<string> | null>, { tenantUnitId, datasets }: CompiledRule): void {
  const known = within.get(tenantUnitId);
  if (known === null) return;
  within.set(tenantUnitId, datasets && new Set([...(known ?? []), ...datasets]));
}
