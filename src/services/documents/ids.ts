import { sql } from 'kysely';
import type { Queryable } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { forbidden, type InputPath } from '../../errors.js';
import { type TenantUnitRef, withinTenant } from '../shared/tenant-scope.js';
import type { DocumentUpsert } from './documents.schema.js';
import { type DocumentRow, selectDocument, withinDatasets } from './rows.js';

/*
 * Ids are the whole tenant's, external ids a unit's. A key that reaches less must not learn by a refusal which of them
 * are taken beyond.
 */

/**
 * Unspecified: a key that is bound to units or datasets chooses no ids, whether they are taken or not.
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
 * The document that an external id means, locked. Unspecified: of several that a caller reaches it is one of the named
 * datasets, else the one that was there first.
 */
export const findByExternalId = (
  tx: Queryable,
  { scope, externalId, datasetIds = [] }: DocumentUpsert,
): Promise<DocumentRow | undefined> =>
  selectDocument(tx)
    .where(withinDatasets(scope))
    .where('externalId', '=', externalId)
    .orderBy(
      sql`exists (
        select from document_datasets as named
        where named.tenant_id = documents.tenant_id and named.document_id = documents.id
          and named.dataset_id = any(${datasetIds})) desc`,
    )
    .orderBy('createdTime')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();

/**
 * Where the external id of a new document is unique. A document beyond the reach of its maker's key is as if it did not
 * exist, so the new one takes the same external id in a space of its own.
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
  'This API key reaches only a part of its tenant, and so may not choose ids, which are the whole tenant’s; leave the id out, or name the document by an external id.';
