import type { Steps } from '../../async/steps.js';
import { unitsOf } from './phrase.js';

/** A rule as it is stored. */
export interface SynonymRule {
  tenantUnitId: string;
  /** All of the unit where null. */
  datasetIds: string[] | null;
  /** A question with one of these … */
  terms: string[];
  /** … is also searched with these; with the others of `terms` where null. */
  replacements: string[] | null;
}

/** What a question is also searched with, by the units of each text. */
export interface CompiledRule {
  tenantUnitId: string;
  datasets: ReadonlySet<string> | null;
  texts: ReadonlyMap<string, string>;
}

/** What a question may have. */
export interface Phrase {
  /** As it is written in the first rule. */
  term: string;
  units: string[];
  rules: Set<CompiledRule>;
}

/** Phrases by their units, and how many units those have that begin with one. */
export interface Phrases {
  byUnits: Map<string, Phrase>;
  longest: Map<string, number>;
}

export const NO_PHRASES: Phrases = { byUnits: new Map(), longest: new Map() };
const RULES_OF_STEP = 20;

export const keyOf = (units: string[]): string => units.join(' ');

/** Prepares rules for look-ups. */
export function* compileInSteps(rules: SynonymRule[]): Steps<Phrases> {
  const byUnits = new Map<string, Phrase>();
  const longest = new Map<string, number>();
  for (const [place, { tenantUnitId, datasetIds, terms, replacements }] of rules.entries()) {
    const asked = terms
      .map((term) => ({ term, units: unitsOf(term) }))
      .filter(({ units }) => units.length > 0);
    const texts = replacements?.map((term) => ({ term, units: unitsOf(term) })) ?? asked;
    const rule: CompiledRule = {
      tenantUnitId,
      datasets: datasetIds && new Set(datasetIds),
      texts: new Map(texts.map(({ term, units }) => [keyOf(units), term])),
    };
    for (const { term, units } of asked) {
      const key = keyOf(units);
      const phrase = byUnits.get(key) ?? { term, units, rules: new Set() };
      phrase.rules.add(rule);
      byUnits.set(key, phrase);
      const first = units[0] as string;
      longest.set(first, Math.max(longest.get(first) ?? 0, units.length));
    }
    if (place % RULES_OF_STEP === RULES_OF_STEP - 1) yield;
  }
  return { byUnits, longest };
}
