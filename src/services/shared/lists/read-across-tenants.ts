import { type Compilable, sql } from 'kysely';
import { compileOnce } from '../../../../db/compile-once.js';
import type { CountedList, Database, Queryable } from '../../../../db/schema.js';
import { assertPageBytes } from '../page-bytes.js';
import { offsetOf } from '../pagination.js';
import { dbForScope } from '../tenant-scope.js';
import { all, filterConditions, type ListConditions } from './list-filter.js';
import { ORDERS, sortKey } from './list-order.js';
import type { ListedRow, ListRequest, PageParts } from './list-request.js';
import { countAll, type ListTotal } from './list-total.js';

type Key = Pick<ListedRow, 'tenantId' | 'id'>;

interface RowsInput {
  tenantId: string;
  ids: string[];
}

/**
 * Makes a function that reads a page of a list of all tenants, as there is in open mode: all entries are counted, and the
 * rows of each tenant on the page are read by themselves.
 */
export function createReaderAcrossTenants<Row extends ListTotal & ListedRow>(
  database: Database,
  list: CountedList,
  selectPage: (parts: PageParts) => Compilable<Row>,
) {
  const selectRows = compileOnce(({ tenantId, ids }: RowsInput) =>
    selectPage({
      tenantId,
      ...ORDERS.recent,
      page: sql`(select * from ${sql.table(list)} as one where one.tenant_id = ${tenantId} and one.id = any(${ids}))`,
      total: sql`(select null::bigint as total_count, 'built' as counter_state)`,
    }).compile(),
  );

  return (request: ListRequest, conditions: ListConditions): Promise<{ rows: Row[]; total: number }> => {
    const db = dbForScope(database, request.scope);
    const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
    return snapshot.execute(async (tx) => {
      const total = await countAll(tx, conditions);
      const keys = await selectKeys(request, conditions).execute(tx);
      return { rows: await readRows(tx, keys.rows), total };
    });
  };

  /** In the order of the keys. */
  async function readRows(tx: Queryable, keys: Key[]): Promise<Row[]> {
    const found = new Map<string, Row>();
    let bytes = 0;
    for (const tenantId of new Set(keys.map((key) => key.tenantId))) {
      const ids = keys.flatMap((key) => (key.tenantId === tenantId ? key.id : []));
      const rows = await selectRows({ tenantId, ids }, tx);
      bytes += rows[0]?.pageBytes ?? 0;
      for (const row of rows) found.set(nameOf(row), row);
      // Those of further tenants are not read.
      assertPageBytes([...found.values()].map(() => ({ pageBytes: bytes })));
    }
    return keys.flatMap((key) => found.get(nameOf(key)) ?? []);
  }
}

function selectKeys(request: ListRequest, filter: ListConditions) {
  const { list } = filter;
  const { by, direction } = ORDERS[request.order];
  const way = direction === 'desc' ? sql`desc` : sql`asc`;
  return sql<Key>`
    select tenant_id, id from ${sql.table(list)} where ${all(filterConditions(filter, list))}
    order by ${sortKey(by, list)} ${way}, id ${way} limit ${request.pageSize} offset ${offsetOf(request)}`;
}

const nameOf = ({ tenantId, id }: Key): string => JSON.stringify([tenantId, id]);
