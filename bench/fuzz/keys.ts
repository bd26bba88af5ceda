import type { Database } from '../../db/schema.js';
import { permissions } from '../../src/auth/permissions.js';
import { createApiKeys } from '../../src/services/api-keys/api-keys.js';
import { createWriteTransaction } from '../../src/services/shared/write-transaction.js';
import { DATASET, TENANT_UNIT } from './fixtures.js';

export interface FuzzKeys {
  /** May do everything in its tenant. */
  all: string;
  /** Bound to a unit and a dataset. */
  bound: string;
  /** Ids of keys that requests may change. */
  spare: string[];
}

const SPARE_KEYS = 5;

export async function makeKeys(db: Database): Promise<FuzzKeys> {
  const apiKeys = createApiKeys({
    db,
    writeTransaction: createWriteTransaction(db),
    clock: () => new Date(),
    maxPageSize: 1,
  });
  const actor = { userId: undefined };
  const scope = { tenantId: TENANT_UNIT.tenantId };
  const all = await apiKeys.create({ scope, name: 'all', scopes: [...permissions] }, actor);
  const bound = await apiKeys.create(
    {
      scope: TENANT_UNIT,

      name: 'bound',
      scopes: ['documents:write', 'documents:read', 'search'],
      datasetIds: [DATASET],
    },
    actor,
  );
  const spare: string[] = [];
  while (spare.length < SPARE_KEYS) {
    const { id } = await apiKeys.create({ scope, name: 'spare', scopes: ['search'] }, actor);
    spare.push(id);
  }
  return { all: all.key, bound: bound.key, spare };
}
