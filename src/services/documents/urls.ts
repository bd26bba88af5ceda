import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import { acquireLock } from '../shared/advisory-lock.js';
import type { TenantUnitRef } from '../shared/tenant-scope.js';
import { url as webAddress } from './documents.schema.js';
import type { ImportResult } from './processing.schema.js';

type Skipped = ImportResult['skipped'];

/** A listed URL: as given, and normalized. */
interface ListedUrl {
  given: string;
  address: string;
}

/** Characters parsed before yielding to the event loop. */
const CHARACTERS_AT_ONCE = 65_536;
/** URLs of one query. */
const BATCH = 500;

/** Removes invalid and duplicate URLs. */
export async function filterUrls(urls: string[]): Promise<{ accepted: ListedUrl[]; skipped: Skipped }> {
  const accepted = new Map<string, ListedUrl>();
  const skipped: Skipped = [];
  let characters = 0;
  for (const given of urls) {
    characters += given.length;
    if (characters > CHARACTERS_AT_ONCE) {
      await yieldToOthers();
      characters = 0;
    }
    const address = addressOf(given);
    if (address === undefined) skipped.push({ url: given, reason: 'invalid' });
    else if (accepted.has(address)) skipped.push({ url: given, reason: 'duplicate' });
    else accepted.set(address, { given, address });
  }
  return { accepted: [...accepted.values()], skipped };
}

/** The fragment is dropped. */
function addressOf(given: string): string | undefined {
  if (!webAddress.safeParse(given.trim()).success) return undefined;
  const url = new URL(given.trim());
  url.hash = '';
  return webAddress.safeParse(url.href).data;
}

/**
 * Removes URLs that a visible document of the tenant unit already has. Holds a lock against concurrent
 * imports until the end of the transaction.
 */
export async function excludeExistingUrls(
  tx: Queryable,
  scope: TenantUnitRef,
  listed: ListedUrl[],
): Promise<{ fresh: string[]; registered: Skipped }> {
  if (listed.length === 0) return { fresh: [], registered: [] };
  const { tenantId, tenantUnitId, datasetIds } = scope;
  await acquireLock(tx, 'urls', tenantId, tenantUnitId);
  const taken = new Set<string>();
  for (let start = 0; start < listed.length; start += BATCH) {
    const batch = listed.slice(start, start + BATCH);
    const forms = [...new Set(batch.flatMap(({ given, address }) => [given, address]))];
    const { rows } = await sql<{ url: string }>`
      select form as url from unnest(${forms}::text[]) as form
      where exists (
        select from documents
        where url = form and tenant_id = ${tenantId} and tenant_unit_id = ${tenantUnitId}
          ${datasetIds ? sql`and dataset_ids && ${[...datasetIds]}::text[]` : sql``}
      )
    `.execute(tx);
    for (const { url } of rows) taken.add(url);
  }
  const isTaken = ({ given, address }: ListedUrl) => taken.has(given) || taken.has(address);
  return {
    fresh: listed.filter((one) => !isTaken(one)).map(({ address }) => address),
    registered: listed.filter(isTaken).map(({ given }) => ({ url: given, reason: 'exists' })),
  };
}
