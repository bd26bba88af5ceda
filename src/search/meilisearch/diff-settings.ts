import type { Index, Settings } from 'meilisearch';
import { INDEX_SETTINGS } from './settings.js';

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
