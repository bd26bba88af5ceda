import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Database, Queryable, UserErasureTable } from '../../../db/schema.js';
import { unscoped } from '../../../db/tenant-isolation/unscoped.js';
import { writeErasureRecord } from '../../storage/erasure-records.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { tryAcquireLock } from '../shared/advisory-lock.js';
import type { Place, StepResult } from './place.js';
import { places } from './places.js';
import { isUser, pseudonymOf } from './user-hash.js';

/** Erasures that get a step in turn. */
const MAX_ERASURES = 20;

export type ErasureRow = Selectable<UserErasureTable>;

interface EraseDependencies {
  db: Database;
  storage: Pick<FileStorage, 'write'>;
  clock: () => Date;
}

/**
 * Does a step of each unfinished erasure. What is done and where the next step begins is stored in the transaction of the
 * step: after a kill at any point, another process goes on.
 *
 * @returns whether there may be more to do
 */
export async function eraseUsers({ db, storage, clock }: EraseDependencies): Promise<boolean> {
  const unfinished = await unscoped(db, 'Erasures of all tenants go on in the background.')
    .selectFrom('userErasures')
    .selectAll()
    .where('finishedTime', 'is', null)
    .orderBy('tenantId')
    .orderBy('id')
    .limit(MAX_ERASURES)
    .execute();
  let steps = 0;
  const errors: unknown[] = [];
  for (const row of unfinished) {
    try {
      // Before anything is erased: a database that is restored from before has to learn of it.
      if (row.fileKey === null) await recordInStorage(db, storage, row);
      if (await eraseSome(db, row, clock())) steps += 1;
    } catch (error) {
      // Other erasures need not wait for what is wrong with this one.
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return steps > 0;
}

async function recordInStorage(
  db: Database,
  storage: EraseDependencies['storage'],
  { tenantId, id, hashSecret, userHash, createdTime }: ErasureRow,
): Promise<void> {
  const fileKey = await writeErasureRecord(storage, { tenantId, id, hashSecret, userHash, createdTime });
  await db
    .updateTable('userErasures')
    .set({ fileKey })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute();
}

/** @returns whether it was done: not where another process is at an erasure of the tenant */
function eraseSome(db: Database, { tenantId, id }: ErasureRow, now: Date): Promise<boolean> {
  // As the owner of the tables: the role of requests may not change the audit log.
  return db.transaction().execute(async (tx) => {
    if (!(await tryAcquireLock(tx, 'erasures', tenantId))) return false;
    const row = await tx
      .selectFrom('userErasures')
      .selectAll()
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .where('finishedTime', 'is', null)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return true;
    await tx
      .updateTable('userErasures')
      .set(await takeStep(tx, row, now))
      .where('tenantId', '=', tenantId)
      .where('id', '=', id)
      .execute();
    return true;
  });
}

type Progress = Partial<Pick<ErasureRow, 'userId' | 'place' | 'lastKey' | 'held' | 'finishedTime'>> & {
  erased?: string;
};

async function takeStep(tx: Queryable, row: ErasureRow, now: Date): Promise<Progress> {
  const at = places.findIndex(({ name }) => name === row.place);
  const place = places[at];
  if (!place) throw new Error(`A newer version erases users at "${row.place}".`);
  const { isOne, lastKey } = await findRows(tx, place, row);
  const next = lastKey ? { place: place.name, lastKey } : goOn(places[at + 1], now);
  if (row.userId === null) {
    const userId = await findUser(tx, place, { row, isOne });
    return userId === undefined ? next : { userId, place: places[0].name, lastKey: null };
  }
  const { tenantId, userId } = row;
  const pseudonym = pseudonymOf(row.userHash);
  const { erased, held = 0 } = await place.erase({ tx, tenantId, userId, pseudonym, isOne });
  return { ...next, erased: JSON.stringify(add(row.erased, erased)), held: row.held + held };
}

/** At the end nothing of the user is left in the record either. */
const goOn = (place: Place | undefined, now: Date): Progress =>
  place ? { place: place.name, lastKey: null } : { finishedTime: now, userId: null, lastKey: null };

function add(before: Record<string, number>, erased: StepResult['erased']): Record<string, number> {
  const sum = { ...before };
  for (const [what, count] of Object.entries(erased)) sum[what] = (sum[what] ?? 0) + count;
  return sum;
}

/** The next rows of a place. @returns the key of the last one, if there may be others */
async function findRows(tx: Queryable, place: Place, { tenantId, lastKey }: ErasureRow) {
  const key = place.key.map((name) => sql.ref(`t.${name}`));
  const isBeyond = (last: string[] | null) =>
    last ? sql<SqlBool>`(${sql.join(key)}) > (${sql.join(last)})` : sql<SqlBool>`true`;
  const isOfTenant = sql<SqlBool>`t.tenant_id = ${tenantId} and ${isBeyond(lastKey)}`;
  const { rows } = await sql<{ key: string[] }>`
    select array[${sql.join(key.map((column) => sql`${column}::text`))}] as key
    from ${sql.table(place.table)} as t where ${isOfTenant}
    order by ${sql.join(key)} limit ${place.rows}
  `.execute(tx);
  const last = rows.length === place.rows ? rows.at(-1)?.key : undefined;
  const isOne = last ? sql<SqlBool>`${isOfTenant} and (${sql.join(key)}) <= (${sql.join(last)})` : isOfTenant;
  return { isOne, lastKey: last };
}

/** Finds the user of a restored erasure, of which only the hash is known. */
async function findUser(
  tx: Queryable,
  place: Place,
  { row, isOne }: { row: ErasureRow; isOne: ReturnType<typeof sql<SqlBool>> },
): Promise<string | undefined> {
  const { rows } = await sql<{ user: string }>`
    select distinct u.id as user from ${sql.table(place.table)} as t
    cross join lateral (values ${sql.join(place.users.map((column) => sql`(${column}::text)`))}) as u (id)
    where ${isOne} and u.id is not null
  `.execute(tx);
  return rows.find(({ user }) => isUser(row, user))?.user;
}
