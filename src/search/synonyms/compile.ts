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

/** A term that a question may have. */
export interface Trigger {
  units: string[];
  /** As it is written in the rule. */
  term: string;
  rule: SynonymRule;
}

/** Triggers by their first unit. */
export type Triggers = ReadonlyMap<string, Trigger[]>;

const RULES_OF_STEP = 20;

/** Prepares rules for look-ups. */
export function* compileInSteps(rules: SynonymRule[]): Steps<Triggers> {
  const triggers = new Map<string, Trigger[]>();
  for (const [place, rule] of rules.entries()) {
    for (const term of rule.terms) {
      const units = unitsOf(term);
      const [first] = units;
      if (first === undefined) continue;
      const others = triggers.get(first) ?? [];
      others.push({ units, term, rule });
      triggers.set(first, others);
    }
    if (place % RULES_OF_STEP === RULES_OF_STEP - 1) yield;
  }
  return triggers;
}
