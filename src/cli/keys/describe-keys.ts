import { permissions } from '../../auth/permissions.js';
import type { ApiKey } from '../../services/api-keys/api-keys.schema.js';
import { formatFields, formatTable, shorten } from '../shared/format.js';

const NAME_LENGTH = 30;

export const KEEP_IT =
  'Store it now; it is not shown again. Clients send it as X-Api-Key or as a bearer token.\n';

/** What a key is for, a line each. */
export const describeKey = (key: ApiKey): string =>
  formatFields([
    ['id', key.id],
    ['name', key.name],
    ['tenant', key.tenantId],
    ['units', listOrAll(key.tenantUnitIds)],
    ['datasets', listOrAll(key.datasetIds)],
    ['scopes', describeScopes(key)],
    ['expires', key.expiresTime ? formatTime(key.expiresTime) : 'never'],
  ]);

/** Keys as a table. */
export function describeKeys(keys: ApiKey[]): string {
  if (keys.length === 0) return 'There are no keys. Create one with: lectern keys create\n';
  return formatTable(
    [
      'id',
      'tenant',
      'name',
      'status',
      'expires',
      'last used',
      'units',
      'datasets',
      'scopes',
      'made in open mode',
    ],
    keys.map((key) => [
      key.id,
      key.tenantId,
      shorten(key.name, NAME_LENGTH),
      key.status,
      key.expiresTime ? formatTime(key.expiresTime) : 'never',
      key.lastUsedTime ? formatTime(key.lastUsedTime) : 'never',
      listOrAll(key.tenantUnitIds),
      listOrAll(key.datasetIds),
      describeScopes(key),
      key.madeInOpenMode ? 'yes' : 'no',
    ]),
  );
}

export const formatTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const listOrAll = (ids: string[] | null): string => ids?.join(', ') ?? 'all';

const describeScopes = ({ scopes }: ApiKey): string =>
  permissions.every((permission) => scopes.includes(permission)) ? 'all' : scopes.join(', ');
