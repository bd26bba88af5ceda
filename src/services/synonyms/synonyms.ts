import { type Selectable, sql } from 'kysely';
import { v7 as uuid } from 'uuid';
import type { Database, Queryable, SearchSynonymTable } from '../../../db/schema.js';
import { runYielding } from '../../async/steps.js';
import { conflict, forbidden, notFound } from '../../errors/errors.js';
import { synonymCachesExpired } from '../../search/synonyms/cache-lifetime.js';
import { type AuditEntry, auditWrites } from '../audit/audit.js';
import { withinReach } from '../evaluations/rows.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { acquireLock } from '../shared/advisory-lock.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { type TenantUnitRef, tenantColumns } from '../shared/tenant-scope.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import {
  type ImportedSynonyms,
  MAX_RULES,
  type SynonymFilter,
  type SynonymRecord,
  type SynonymsImport,
  type SynonymsRef,
  type SynonymsToSave,
  type UnitOfSynonyms,
} from './synonyms.schema.js';
import { type ReadRule, readSynonymsInSteps, writeSynonyms } from './synonyms-text.js';

export interface SynonymsDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  maxPageSize: number;
}

export type SynonymLists = ReturnType<typeof createSynonymLists>;

type Row = Selectable<SearchSynonymTable>;
type Rule = Pick<Row, 'terms' | 'replacements' | 'datasetIds'>;

/** Rows of one statement. */
const BATCH = 200;

/**
 * Words that the searches of a unit take for each other. A key that is restricted to datasets sees and changes the rules
 * that are for nothing beyond these. What is changed holds for all searches that begin after the answer.
 */
export function createSynonymLists({ db, writeTransaction, clock, maxPageSize }: SynonymsDependencies) {
  return { list, save, remove, export: exportAll, import: importAll };

  /** Oldest first. */
  async function list(filter: SynonymFilter): Promise<Page<SynonymRecord>> {
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const matching = db.selectFrom('searchSynonyms').where(withinReach(filter.scope));
    const [{ count }, rows] = await Promise.all([
      matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      matching
        .selectAll()
        .orderBy('createdTime')
        .orderBy('id')
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(filter, rows.map(toRecord), count);
  }

  /**
   * Adds a rule, or replaces one.
   *
   * @throws DomainError `conflict` where the key reaches one that says the same
   */
  async function save(input: SynonymsToSave, actor: Actor): Promise<SynonymRecord> {
    const { scope, synonymsId, terms, replacements } = input;
    const rule = { terms, replacements, datasetIds: datasetsOf(scope, input.datasetIds) };
    const saved = await writeTransaction({ scope, actor }, async (tx) => {
      await lockSynonyms(tx, scope);
      const before = synonymsId === undefined ? undefined : await find(tx, { scope, synonymsId });
      const others = (await readAll(tx, scope)).filter(({ id }) => id !== before?.id);
      if (others.some((other) => keyOf(other) === keyOf(rule)))
        throw conflict('This synonym rule exists already.', ['terms']);
      const row = before
        ? await tx
            .updateTable('searchSynonyms')
            .set({ ...rule, updatedTime: clock(), updatedBy: authorOf(actor) })
            .where('tenantId', '=', scope.tenantId)
            .where('id', '=', before.id)
            .returningAll()
            .executeTakeFirstOrThrow()
        : ((await insert(tx, scope, actor, [rule]))[0] as Row);
      await assertRoom(tx, scope);
      await auditWrites(tx, scope.tenantId, actor, [toEntry('search.saveSynonyms', before, row)]);
      return toRecord(row);
    });
    await synonymCachesExpired();
    return saved;
  }

  async function remove({ scope, synonymsId }: SynonymsRef, actor: Actor): Promise<void> {
    await writeTransaction({ scope, actor }, async (tx) => {
      await lockSynonyms(tx, scope);
      const before = await find(tx, { scope, synonymsId });
      await deleteRows(tx, scope, [before]);
      await auditWrites(tx, scope.tenantId, actor, [toEntry('search.removeSynonyms', before, undefined)]);
    });
    await synonymCachesExpired();
  }

  async function exportAll({ scope }: UnitOfSynonyms): Promise<{ text: string }> {
    return { text: writeSynonyms(await readAll(db, scope)) };
  }

  /**
   * All rules of a text, or none. Those that are there already stay as they are.
   *
   * @throws DomainError `invalid` that names the lines which are no rules
   */
  async function importAll(input: SynonymsImport, actor: Actor): Promise<ImportedSynonyms> {
    const { scope, mode } = input;
    const otherwise = datasetsOf(scope, input.datasetIds);
    const rules = (await runYielding(readSynonymsInSteps(input.text))).map((one) =>
      toRule(one, scope, otherwise),
    );
    const imported = await writeTransaction({ scope, actor }, async (tx) => {
      await lockSynonyms(tx, scope);
      const there = await readAll(tx, scope);
      const known = new Map(there.map((row) => [keyOf(row), row]));
      const wanted = new Map(rules.map((rule) => [keyOf(rule), rule]));
      const removed = mode === 'replace' ? there.filter((row) => !wanted.has(keyOf(row))) : [];
      const missing = [...wanted].filter(([key]) => !known.has(key)).map(([, rule]) => rule);
      await deleteRows(tx, scope, removed);
      const added = await insert(tx, scope, actor, missing);
      await assertRoom(tx, scope);
      await auditWrites(tx, scope.tenantId, actor, [
        ...removed.map((row) => toEntry('search.importSynonyms', row, undefined)),
        ...added.map((row) => toEntry('search.importSynonyms', undefined, row)),
      ]);
      return {
        added: added.length,
        removed: removed.length,
        unchanged: wanted.size - missing.length,
      };
    });
    await synonymCachesExpired();
    return imported;
  }

  async function insert(tx: Queryable, scope: TenantUnitRef, actor: Actor, rules: Rule[]): Promise<Row[]> {
    const now = clock();
    const author = authorOf(actor);
    const rows: Row[] = [];
    for (let start = 0; start < rules.length; start += BATCH) {
      const values = rules.slice(start, start + BATCH).map((rule) => ({
        ...tenantColumns(scope),
        id: uuid(),
        ...rule,
        createdTime: now,
        createdBy: author,
        updatedTime: now,
        updatedBy: author,
      }));
      rows.push(...(await tx.insertInto('searchSynonyms').values(values).returningAll().execute()));
    }
    return rows;
  }
}

/** Serializes what changes the rules of a unit, until the end of the transaction. */
const lockSynonyms = (tx: Queryable, { tenantId, tenantUnitId }: TenantUnitRef): Promise<void> =>
  acquireLock(tx, 'synonyms', tenantId, tenantUnitId);

const find = (tx: Queryable, { scope, synonymsId }: SynonymsRef): Promise<Row> =>
  tx
    .selectFrom('searchSynonyms')
    .selectAll()
    .where(withinReach(scope))
    .where('id', '=', synonymsId)
    .executeTakeFirstOrThrow(() => notFound('Synonyms', ['synonymsId']));

/** Those within reach of the key: there are few. */
const readAll = (db: Queryable, scope: TenantUnitRef): Promise<Row[]> =>
  db
    .selectFrom('searchSynonyms')
    .selectAll()
    .where(withinReach(scope))
    .orderBy('createdTime')
    .orderBy('id')
    .limit(MAX_RULES)
    .execute();

async function deleteRows(tx: Queryable, { tenantId }: TenantUnitRef, rows: Row[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  await tx
    .deleteFrom('searchSynonyms')
    .where('tenantId', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
}

/** @throws DomainError `conflict` where there are too many in the unit */
async function assertRoom(tx: Queryable, { tenantId, tenantUnitId }: TenantUnitRef): Promise<void> {
  const { count } = await tx
    .selectFrom('searchSynonyms')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenantId', '=', tenantId)
    .where('tenantUnitId', '=', tenantUnitId)
    .executeTakeFirstOrThrow();
  if (count > MAX_RULES)
    throw conflict(`A unit has at most ${MAX_RULES} synonym rules; remove some first.`, []);
}

/** Those that are named, else all within reach of the key. */
const datasetsOf = ({ datasetIds }: TenantUnitRef, named: string[] | null | undefined): string[] | null => {
  const all = named ?? datasetIds;
  return all ? [...new Set(all)].sort() : null;
};

/** @throws DomainError `forbidden` where a line names a dataset beyond the key */
function toRule(
  { line, datasetIds: named, ...rule }: ReadRule,
  scope: TenantUnitRef,
  otherwise: Rule['datasetIds'],
): Rule {
  const outside = named?.find((id) => scope.datasetIds && !scope.datasetIds.includes(id));
  if (outside !== undefined)
    throw forbidden(`Line ${line}: this API key has no access to dataset ${outside}.`, ['text']);
  return { ...rule, datasetIds: named === undefined ? otherwise : datasetsOf(scope, named) };
}

const keyOf = ({ terms, replacements, datasetIds }: Rule): string =>
  JSON.stringify([datasetIds, terms, replacements]);

const toRecord = ({ tenantId: _, tenantUnitId: __, ...row }: Row): SynonymRecord => row;

function toEntry(action: string, before: Row | undefined, after: Row | undefined): AuditEntry {
  const { id, tenantUnitId } = (after ?? before) as Row;
  const audited = (row: Row) => ({
    terms: row.terms,
    replacements: row.replacements,
    datasetIds: row.datasetIds,
  });
  return {
    action,
    subject: { type: 'synonyms', id },
    tenantUnitId,
    before: before && audited(before),
    after: after && audited(after),
  };
}
