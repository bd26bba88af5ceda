import { isDeepStrictEqual } from 'node:util';
import { NotImplementedError } from './errors.js';

export type Settings = typeof DEFAULTS;
export interface FilterRule {
  attributePatterns: string[];
  features: { facetSearch: boolean; filter: { equality: boolean; comparison: boolean } };
}

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

/** The others can only be set to their defaults. */
const CHANGEABLE = [
  'displayedAttributes',
  'searchableAttributes',
  'filterableAttributes',
  'rankingRules',
  'typoTolerance',
  'proximityPrecision',
  'pagination',
  'localizedAttributes',
  'synonyms',
  'stopWords',
  'facetSearch',
  'prefixSearch',
];

/** Rejects settings that the double would treat in another way than the server. */
export function checkSettings(patch: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(patch)) {
    const isKnown =
      isDeepStrictEqual(value, DEFAULTS[name as keyof Settings]) ||
      (CHANGEABLE.includes(name) && value !== null);
    if (!isKnown) throw new NotImplementedError(`the setting \`${name}\` of ${JSON.stringify(value)}`);
  }
}

export const changeSettings = (
  before: Settings,
  { typoTolerance, ...patch }: Partial<Settings>,
): Settings => ({
  ...before,
  ...patch,
  typoTolerance: { ...before.typoTolerance, ...typoTolerance },
});
