import type { Index, Settings } from 'meilisearch';

/**
 * Index settings. Terms come from our own analyzer, so language detection, typo tolerance and prefix search are disabled.
 * Our searches filter by terms, since a search for words requires the first of them; words can be searched for as well,
 * as by an operator.
 */
export const INDEX_SETTINGS = {
  searchableAttributes: ['terms'],
  displayedAttributes: ['id', 'revision'],
  filterableAttributes: [
    {
      attributePatterns: ['unit', 'datasets', 'terms'],
      features: { facetSearch: false, filter: { equality: true, comparison: false } },
    },
    {
      attributePatterns: ['bucket'],
      features: { facetSearch: false, filter: { equality: true, comparison: true } },
    },
  ],
  sortableAttributes: [],
  rankingRules: ['words'],
  distinctAttribute: null,
  proximityPrecision: 'byAttribute',
  typoTolerance: { enabled: false },
  prefixSearch: 'disabled',
  facetSearch: false,
  localizedAttributes: [{ attributePatterns: ['*'], locales: ['eng'] }],
  // Allows deep searches when many hits are filtered out.
  pagination: { maxTotalHits: 1_000_000 },
} satisfies Settings;

export interface SettingDifference {
  setting: string;
  wanted: unknown;
  found: unknown;
  /** Changing it makes the server reindex every document. */
  rebuilds: boolean;
}

/** Settings that apply at search time only. */
const SEARCH_TIME_SETTINGS = new Set(['displayedAttributes', 'rankingRules', 'pagination']);

/** Differences from our settings; settings that we do not set are ignored. */
function compareSettings(found: Settings): SettingDifference[] {
  return Object.entries(INDEX_SETTINGS).flatMap(([setting, expected]) => {
    const actual = found[setting as keyof Settings];
    if (matchesSetting(expected, actual)) return [];
    return [{ setting, wanted: expected, found: actual, rebuilds: !SEARCH_TIME_SETTINGS.has(setting) }];
  });
}

/** Differences of the current settings of an index from ours. */
export const diffSettings = async (index: Index): Promise<SettingDifference[]> =>
  compareSettings(await index.getSettings());

/** Whether an actual value matches: objects may have more keys, lists must have the same order. */
function matchesSetting(expected: unknown, actual: unknown): boolean {
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      expected.length === actual.length &&
      expected.every((one, i) => matchesSetting(one, actual[i]))
    );
  }
  if (typeof expected === 'object' && expected !== null) {
    return (
      typeof actual === 'object' &&
      actual !== null &&
      Object.entries(expected).every(([key, value]) =>
        matchesSetting(value, (actual as Record<string, unknown>)[key]),
      )
    );
  }
  return expected === (actual ?? null);
}
