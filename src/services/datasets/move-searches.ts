import { sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Queryable } from '../../../db/schema.js';

interface Move {
  tenantId: string;
  /** Units of the documents that have moved. */
  units: readonly string[];
  from: string;
  to: string;
}

/**
 * Has the counted searches of a dataset follow its documents to another one, such as after a rename. Those of a unit follow when its
 * last document has left, those of several units when no document is left at all.
 *
 * Each process writes its own counts again and again: they stay, and rows beside them move the difference.
 */
export async function moveSearches(tx: Queryable, { tenantId, units, from, to }: Move): Promise<void> {
  const documents = sql`select from document_datasets where tenant_id = ${tenantId} and dataset_id = ${from}`;
  const { rows } = await sql<{ isEmpty: boolean; leftUnits: string[] }>`
    select not exists (${documents}) as is_empty,
      array(
        select unit from unnest(${units}::text[]) as unit where not exists (${documents} and tenant_unit_id = unit)
      ) as left_units
  `.execute(tx);
  const [{ isEmpty, leftUnits } = { isEmpty: false, leftUnits: [] }] = rows;
  if (!isEmpty && leftUnits.length === 0) return;
  const ofUnits = isEmpty ? sql`` : sql`and tenant_unit_id = any(${leftUnits})`;
  await sql`
    insert into dataset_searches (tenant_id, dataset_id, day, tenant_unit_id, process, searches)
    select tenant_id, side.dataset_id, day, tenant_unit_id, ${uuid()}, side.sign * sum(searches)
    from dataset_searches
    cross join (values (${from}, -1), (${to}, 1)) as side (dataset_id, sign)
    where tenant_id = ${tenantId} and dataset_searches.dataset_id = ${from} ${ofUnits}
    group by tenant_id, side.dataset_id, day, tenant_unit_id, side.sign
    having sum(searches) > 0
  `.execute(tx);
}
