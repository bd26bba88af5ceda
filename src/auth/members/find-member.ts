import type { Selectable } from 'kysely';
import type { Database, MemberTable } from '../../../db/schema.js';
import { createKeyCache } from '../key-cache.js';

/** Whom a token is of, in a tenant. */
export interface MemberRef {
  tenantId: string;
  issuer: string;
  subject: string;
}

/** What authentication has to know of a member. */
export type KnownMember = Pick<
  Selectable<MemberTable>,
  'role' | 'tenantUnitIds' | 'datasetIds' | 'lastSeenTime'
>;

export type FindMember = (ref: MemberRef) => Promise<KnownMember | undefined>;

/**
 * Finds the member whose token it is. Requests that arrive within moments share a look-up, as those of a key do: whoever
 * changes a role waits until no process uses the former one.
 */
export function createFindMember(db: Database): FindMember {
  const find = createKeyCache(async (name) => {
    const { tenantId, issuer, subject } = JSON.parse(name) as MemberRef;
    return db
      .selectFrom('members')
      .select(['role', 'tenantUnitIds', 'datasetIds', 'lastSeenTime'])
      .where('tenantId', '=', tenantId)
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .executeTakeFirst();
  });
  return ({ tenantId, issuer, subject }) => find(JSON.stringify({ tenantId, issuer, subject }));
}
