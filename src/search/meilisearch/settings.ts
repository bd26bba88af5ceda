import type { Index, Settings } from 'meilisearch';

/**
 * Index settings. Terms come from our own analyzer, so language detection, typo tolerance and prefix search
 * are disabled; the server only finds the documents that match most terms.
 */
export const INDEX_SETTINGS = {
  searchableAttributes: ['terms'],
  displayedAttributes: ['id', 'revision'],
  filterableAttributes: [
    {
      attributePatterns: ['unit', 'datasets'],
      features: { facetSearch: false, filter: { equality: true, comparison: false } },
    },
    {
      attributePatterns: ['bucket'],
      features: { facetSearch: false, filter: { equality: true, comparison: true } },
    },
  ],
  sortableAttributes: [],
  rankingRules: ['words'],
  stopWords: [],
  synonyms: {},
  separatorTokens: [],
  nonSeparatorTokens: [],
  dictionary: [],
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
const SEARCH_TIME_SETTINGS = new Set(['displayedAttributes', 'rankingRules', 'pagination', 'synonyms']);

/** Where the settings of an index are not as they should be. Settings that we do not name are left alone. */
function compareSettings(found: Settings): SettingDifference[] {
  return Object.entries(INDEX_SETTINGS).flatMap(([setting, wanted]) => {
    const present = found[setting as keyof Settings];
    if (matchesSetting(wanted, present)) return [];
    return [{ setting, wanted, found: present, rebuilds: !SEARCH_TIME_SETTINGS.has(setting) }];
  });
}

/** Where the settings that an index has now are not as they should be. */
export const diffSettings = async (index: Index): Promise<SettingDifference[]> =>
  compareSettings(await index.getSettings());

/** Whether an actual value matches: objects may have more keys, lists must have the same order. */
function matchesSetting(wanted: unknown, found: unknown): boolean {
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(found) &&
      wanted.length === found.length &&
      wanted.every((one, i) => matchesSetting(one, found[i]))
    );
  }
  if (typeof wanted === 'object' && wanted !== null) {
    return (
      typeof found === 'object' &&
      found !== null &&
      Object.entries(wanted).every(([key, value]) =>
        matchesSetting(value, (found as Record<string, unknown>)[key]),
      )
    );
  }
  return wanted === (found ?? null);
}
