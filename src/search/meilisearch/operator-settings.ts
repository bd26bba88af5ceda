import { isDeepStrictEqual } from 'node:util';
import type { Settings } from 'meilisearch';

/** Settings that are the operator's, with the server's defaults. */
const DEFAULTS = {
  synonyms: {},
  stopWords: [],
  separatorTokens: [],
  nonSeparatorTokens: [],
  dictionary: [],
  faceting: { maxValuesPerFacet: 100, sortFacetValuesBy: { '*': 'alpha' } },
  searchCutoffMs: null,
} satisfies Settings;
const TYPO_DEFAULTS = {
  minWordSizeForTypos: { oneTypo: 5, twoTypos: 9 },
  disableOnWords: [],
  disableOnAttributes: [],
} satisfies Settings['typoTolerance'];

/** What the operator of the search server has set besides our settings; a rebuilt index gets it, too. */
export function readOperatorSettings(found: Settings): Settings {
  const typoTolerance = pickChanged(found.typoTolerance ?? {}, TYPO_DEFAULTS);
  return {
    ...pickChanged(found, DEFAULTS),
    ...(Object.keys(typoTolerance).length > 0 && { typoTolerance }),
  };
}

function pickChanged<T extends object>(found: T, defaults: object): T {
  const isChanged = ([name, value]: [string, unknown]) => {
    const usual = (defaults as Record<string, unknown>)[name];
    return usual !== undefined && value !== undefined && !isDeepStrictEqual(value, usual);
  };
  return Object.fromEntries(Object.entries(found).filter(isChanged)) as T;
}
