import { generateTenantToken } from 'meilisearch/token';
import type { SearchServerConfig } from '../../../config/config.js';
import type { MeilisearchServer } from '../../../search/meilisearch/connect.js';
import { isAuthError, toOperatorMessage } from '../../../search/meilisearch/errors.js';
import { tokenKeySpec } from '../../../search/meilisearch/keys.js';
import { openClient } from '../../../search/meilisearch/open-client.js';
import { type Finding, problem, splitAdvice } from '../check.js';

/** Whether front ends can search with tokens that servers sign, where they get any: with one that finds nothing. */
export async function checkTokens(
  { publicUrl, tokenKey, adminKey, searchTimeoutMs }: SearchServerConfig,
  { url, prefix, indexUid }: MeilisearchServer,
): Promise<Finding[]> {
  // With an admin key alone, servers make the key.
  if (!publicUrl || (!tokenKey && adminKey)) return [];
  if (!tokenKey)
    return [
      problem(
        'MEILI_PUBLIC_URL is set, but no key signs tokens.',
        'Set MEILI_TOKEN_KEY to what lectern search keys shows.',
      ),
    ];
  try {
    const token = await generateTenantToken({
      apiKey: tokenKey,
      apiKeyUid: tokenKeySpec(prefix).uid,
      searchRules: { [indexUid]: { filter: 'unitHash = none' } },
    });
    const client = openClient({ host: url, apiKey: token, timeout: searchTimeoutMs });
    await client.multiSearch({ federation: { limit: 1 }, queries: [{ indexUid }] });
    return [];
  } catch (error) {
    if (isAuthError(error))
      return [
        problem(
          'The search server refuses the tokens that MEILI_TOKEN_KEY signs.',
          'Compare it with what lectern search keys shows.',
        ),
      ];
    return [problem(...splitAdvice(toOperatorMessage(error), 'Check MEILI_URL.'))];
  }
}
