import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { forbidden, type InputPath } from '../../errors/errors.js';
import { type TenantUnitRef, withinTenant } from '../shared/tenant-scope.js';
import type { DocumentUpsert } from './documents.schema.js';
import { type DocumentRow, selectDocument, withinDatasets } from './rows.js';

/*
 * Ids are unique per tenant, external ids per unit. A restricted key must not learn from a conflict which ids
 * exist outside its datasets.
 */

/**
 * Unspecified: a restricted key may not choose ids, taken or not.
 *
 * @throws DomainError `forbidden` at `path`
 */
export function assertMayChooseId(
  access: KeyAccess | undefined,
  id: string | undefined,
  path: InputPath,
): void {
  if (id === undefined || !access || (!access.tenantUnitIds && !access.datasetIds)) return;
  throw forbidden(MAY_NOT_CHOOSE_ID, path);
}

/**
 * Selects the document of an external id for update. Unspecified: among several visible ones, one in the
 * given datasets is preferred, then the oldest.
 */
export const findByExternalId = (
  tx: Queryable,
  { scope, externalId, datasetIds = [] }: DocumentUpsert,
): Promise<DocumentRow | undefined> =>
  selectDocument(tx)
    .where(withinDatasets(scope))
    .where('externalId', '=', externalId)
    .orderBy(sql`dataset_ids && ${datasetIds}::text[] desc`)
    .orderBy('createdTime')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

/**
 * The namespace in which the external id is unique. Documents outside the key's datasets do not exist for it,
 * so a new document gets a namespace of its own.
 */
export async function externalIdNamespace(
  tx: Queryable,
  { scope, externalId }: { scope: TenantUnitRef; externalId: string },
  documentId: string,
): Promise<string> {
  if (!scope.datasetIds) return '';
  const taken = await tx
    .selectFrom('documents')
    .select('id')
    .where(withinTenant(scope))
    .where('externalId', '=', externalId)
    .limit(1)
    .executeTakeFirst();
  return taken ? documentId : '';
}

const MAY_NOT_CHOOSE_ID =
  'This API key has access to only a part of its tenant, so it may not choose ids. Leave the id out, or use an external id.';
