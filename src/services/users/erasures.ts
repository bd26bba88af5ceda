import { v7 as uuid } from 'uuid';
import type { Database } from '../../../db/schema.js';
import type { KeyAccess } from '../../auth/permissions.js';
import { notFound } from '../../errors/errors.js';
import { auditWrites } from '../audit/audit.js';
import { type Actor, authorOf } from '../shared/actor.js';
import { acquireLock } from '../shared/advisory-lock.js';
import { assertAtMost, offsetOf, type Page, toPage } from '../shared/pagination.js';
import { assertWholeTenant } from '../shared/whole-tenant.js';
import type { WriteTransaction } from '../shared/write-transaction.js';
import { removeMembers } from './erase-members.js';
import type { ErasureRow } from './erase-users.js';
import type { Erased, Erasure, ErasureFilter, ErasureRef, NewErasure } from './erasures.schema.js';
import { places } from './places.js';
import { hashUser, makeHashSecret, pseudonymOf } from './user-hash.js';

export interface UserErasuresDependencies {
  db: Database;
  writeTransaction: WriteTransaction;
  clock: () => Date;
  maxPageSize: number;
}

export type UserErasures = ReturnType<typeof createUserErasures>;

const ERASURES = 'An erasure concerns';

/** Erasures of users of a tenant. */
export function createUserErasures({ db, writeTransaction, clock, maxPageSize }: UserErasuresDependencies) {
  return { erase, get, list };

  /** Begins to erase a user in the background. One that is under way is not begun again. */
  async function erase({ scope, userId }: NewErasure, actor: Actor, access?: KeyAccess): Promise<Erasure> {
    assertWholeTenant(access, ERASURES);
    const { tenantId } = scope;
    return writeTransaction({ scope, actor }, async (tx) => {
      // A step that is under way may be the last one.
      await acquireLock(tx, 'erasures', tenantId);
      const unfinished = await tx
        .selectFrom('userErasures')
        .selectAll()
        .where('tenantId', '=', tenantId)
        .where('finishedTime', 'is', null)
        .where('userId', '=', userId)
        .limit(1)
        .executeTakeFirst();
      if (unfinished) return toErasure(unfinished);
      await removeMembers(tx, tenantId, userId);
      const hashSecret = makeHashSecret();
      const row = await tx
        .insertInto('userErasures')
        .values({
          tenantId,
          id: uuid(),
          hashSecret,
          userHash: hashUser(hashSecret, userId),
          userId,
          place: places[0].name,
          lastKey: null,
          fileKey: null,
          createdTime: clock(),
          createdBy: authorOf(actor),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const result = toErasure(row);
      await auditWrites(tx, tenantId, actor, [
        {
          action: 'users.erase',
          subject: { type: 'user', id: result.pseudonym },
          tenantUnitId: null,
          after: { erasureId: row.id },
        },
      ]);
      return result;
    });
  }

  async function get({ scope, erasureId }: ErasureRef, access?: KeyAccess): Promise<Erasure> {
    assertWholeTenant(access, ERASURES);
    const row = await db
      .selectFrom('userErasures')
      .selectAll()
      .where('tenantId', '=', scope.tenantId)
      .where('id', '=', erasureId)
      .executeTakeFirstOrThrow(() => notFound('Erasure', ['erasureId']));
    return toErasure(row);
  }

  /** The latest first. */
  async function list(filter: ErasureFilter, access?: KeyAccess): Promise<Page<Erasure>> {
    assertWholeTenant(access, ERASURES);
    assertAtMost(maxPageSize, filter.pageSize, 'pageSize');
    const ofTenant = db.selectFrom('userErasures').where('tenantId', '=', filter.scope.tenantId);
    const [{ count }, rows] = await Promise.all([
      ofTenant.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
      ofTenant
        .selectAll()
        .orderBy('createdTime', 'desc')
        .orderBy('id', 'desc')
        .limit(filter.pageSize)
        .offset(offsetOf(filter))
        .execute(),
    ]);
    return toPage(filter, rows.map(toErasure), count);
  }
}

const NOTHING: Erased = {
  conversations: 0,
  messages: 0,
  feedback: 0,
  judgedQuestions: 0,
  webhookDeliveries: 0,
  idempotentResults: 0,
  names: 0,
  auditEvents: 0,
};

const toErasure = ({
  id,
  userHash,
  createdTime,
  createdBy,
  finishedTime,
  erased,
  held,
}: ErasureRow): Erasure => ({
  id,
  pseudonym: pseudonymOf(userHash),
  createdTime,
  createdBy,
  finishedTime,
  erased: { ...NOTHING, ...erased },
  held,
});
