import type { Settings } from 'meilisearch';

/** What a search shows of a chunk: nothing that a key restricted to datasets or units must not learn. */
const DISPLAYED = [
  'id',
  'revision',
  'content',
  'contentComplement',
  'keywords',
  'languages',
  'documentId',
  'externalId',
  'documentName',
  'title',
  'documentType',
  'documentSubType',
  'customProperties',
  'tenantId',
  'tenantUnitId',
  'createdTime',
  'updatedTime',
];

/** Datasets by their hashes alone: facets and filters would tell a restricted key in which others a chunk is. */
const FILTERED = [
  'tenantHash',
  'unitHash',
  'datasetHashes',
  'terms',
  'documentId',
  'externalId',
  'documentType',
  'documentSubType',
  'languages',
  'customProperties.*',
  'tenantId',
  'tenantUnitId',
];

/**
 * Index settings. People, and front ends with a token, search the text, with typing errors and unfinished words. Our own
 * searches filter by terms of our analyzer, since a search for words requires the first of them.
 */
export const INDEX_SETTINGS = {
  searchableAttributes: [
    'documentName',
    'title',
    'contentComplement',
    'keywords',
    'content',
    'externalId',
    'customProperties',
  ],
  displayedAttributes: DISPLAYED,
  filterableAttributes: [
    {
      attributePatterns: FILTERED,
      features: { facetSearch: false, filter: { equality: true, comparison: false } },
    },
    {
      attributePatterns: ['bucket'],
      features: { facetSearch: false, filter: { equality: true, comparison: true } },
    },
  ],
  sortableAttributes: [],
  rankingRules: ['words', 'typo', 'proximity', 'attributeRank', 'sort', 'wordPosition', 'exactness'],
  distinctAttribute: null,
  // By words, filling takes twice the time, and the index twice the space.
  proximityPrecision: 'byAttribute',
  typoTolerance: { enabled: true, disableOnNumbers: true },
  prefixSearch: 'indexingTime',
  facetSearch: false,
  // Else a short Chinese text may be taken for Japanese.
  localizedAttributes: [{ attributePatterns: ['*'], locales: ['eng', 'cmn'] }],
  // Allows deep searches when many hits are filtered out.
  pagination: { maxTotalHits: 1_000_000 },
} satisfies Settings;
