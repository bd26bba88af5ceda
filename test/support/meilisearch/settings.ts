import { NotImplementedError } from './errors.js';

export type Settings = typeof DEFAULTS;
export type FilterRule =
  | string
  | {
      attributePatterns: string[];
      features: { facetSearch: boolean; filter: { equality: boolean; comparison: boolean } };
    };

export const DEFAULTS = {
  displayedAttributes: ['*'],
  searchableAttributes: ['*'],
  filterableAttributes: [] as FilterRule[],
  sortableAttributes: [] as string[],
  rankingRules: ['words', 'typo', 'proximity', 'attributeRank', 'sort', 'wordPosition', 'exactness'],
  stopWords: [] as string[],
  nonSeparatorTokens: [] as string[],
  separatorTokens: [] as string[],
  dictionary: [] as string[],
  synonyms: {} as Record<string, string[]>,
  distinctAttribute: null as string | null,
  proximityPrecision: 'byWord',
  typoTolerance: {
    enabled: true,
    minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 },
    disableOnWords: [] as string[],
    disableOnAttributes: [] as string[],
    disableOnNumbers: false,
  },
  faceting: { maxValuesPerFacet: 100, sortFacetValuesBy: { '*': 'alpha' } },
  pagination: { maxTotalHits: 1000 },
  embedders: {},
  searchCutoffMs: null as number | null,
  localizedAttributes: null as { attributePatterns: string[]; locales: string[] }[] | null,
  facetSearch: true,
  prefixSearch: 'indexingTime',
};

const unique = (names: string[]) => [...new Set(names)];
const sorted = (names: string[]) => unique(names).sort();
const isOneOf =
  (...values: unknown[]) =>
  (value: unknown) =>
    values.includes(value);
const isStrings = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string');
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** How a value must look for the double to take it. */
const TAKEN: { [Name in keyof Settings]?: (value: any) => boolean } = {
  displayedAttributes: isStrings,
  searchableAttributes: isStrings,
  filterableAttributes: (rules) =>
    Array.isArray(rules) && rules.every((rule) => isStrings([rule]) || isStrings(rule?.attributePatterns)),
  sortableAttributes: isStrings,
  rankingRules: (rules) => isStrings(rules) && rules.every((rule: string) => /^[a-zA-Z]+$/.test(rule)),
  stopWords: isStrings,
  nonSeparatorTokens: isStrings,
  separatorTokens: isStrings,
  dictionary: isStrings,
  synonyms: isObject,
  // Only none.
  distinctAttribute: () => false,
  proximityPrecision: isOneOf('byWord', 'byAttribute'),
  typoTolerance: isObject,
  faceting: isObject,
  pagination: (value) => Object.keys(value).join() === 'maxTotalHits' && value.maxTotalHits > 0,
  searchCutoffMs: (value) => Number.isInteger(value) && value > 0,
  localizedAttributes: (rules) =>
    Array.isArray(rules) && rules.every(({ locales }) => locales.every(isOneOf('eng', 'cmn', 'zho'))),
  facetSearch: isOneOf(true, false),
  prefixSearch: isOneOf('indexingTime', 'disabled'),
};

/** How the server reads a value, which the details of a task show. */
const READ: { [Name in keyof Settings]?: (value: any) => unknown } = {
  filterableAttributes: (rules: FilterRule[]) => rules.map(completeRule),
  sortableAttributes: sorted,
  stopWords: sorted,
  nonSeparatorTokens: sorted,
  separatorTokens: sorted,
  dictionary: sorted,
  typoTolerance: ({ disableOnWords, disableOnAttributes, ...others }) => ({
    ...others,
    ...(disableOnWords && { disableOnWords: sorted(disableOnWords) }),
    ...(disableOnAttributes && { disableOnAttributes: sorted(disableOnAttributes) }),
  }),
};

/** What it keeps of a value it has read. */
const KEPT: { [Name in keyof Settings]?: (value: any, before: any) => unknown } = {
  displayedAttributes: unique,
  searchableAttributes: unique,
  typoTolerance: (value, before) => ({
    ...before,
    ...value,
    minWordSizeForTypos: { ...before.minWordSizeForTypos, ...value.minWordSizeForTypos },
  }),
  faceting: (value, before) => ({
    ...before,
    ...value,
    sortFacetValuesBy: { ...before.sortFacetValuesBy, ...value.sortFacetValuesBy },
  }),
};

function completeRule(rule: any): FilterRule {
  if (typeof rule === 'string') return rule;
  const { facetSearch = false, filter: { equality = true, comparison = false } = {} } = rule.features ?? {};
  return {
    attributePatterns: rule.attributePatterns,
    features: { facetSearch, filter: { equality, comparison } },
  };
}

/** Refuses what the double would not treat as the server does. */
export function checkSettings(patch: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(patch)) {
    const isTaken = TAKEN[name as keyof Settings];
    if (!isTaken || (value !== null && !isTaken(value))) {
      throw new NotImplementedError(`the setting \`${name}\` with the value ${JSON.stringify(value)}`);
    }
  }
}

/** A change as the details of its task show it. */
export function readChange(patch: Record<string, any>): Record<string, any> {
  const entries = Object.entries(patch).map(([name, value]) => {
    if (value === null) return [name, /^(displayed|searchable)Attributes$/.test(name) ? ['*'] : null];
    return [name, READ[name as keyof Settings]?.(value) ?? value];
  });
  return Object.fromEntries(entries);
}

/** The settings after a change; null resets one of them. */
export function changeSettings(before: Settings, patch: Record<string, any>): Settings {
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(readChange(patch))) {
    const key = name as keyof Settings;
    after[name] = value === null ? DEFAULTS[key] : (KEPT[key]?.(value, before[key]) ?? value);
  }
  return after as Settings;
}
