import { type Permission, permissions, tenantWidePermissions } from '../../auth/permissions.js';
import { type NewApiKey, newApiKey } from '../../services/api-keys/api-keys.schema.js';
import { type Given, UsageError } from '../run-command.js';

export const NEW_KEY_OPTIONS = {
  tenant: { type: 'string' },
  name: { type: 'string' },
  units: { type: 'string' },
  datasets: { type: 'string' },
  scopes: { type: 'string' },
  admin: { type: 'boolean' },
  expires: { type: 'string' },
} as const;

type Values = Given<{ options: typeof NEW_KEY_OPTIONS }>['values'];

/** What a key may do, and for how long, unless its maker says so: as in the console. */
export const usualScopes: readonly Permission[] = ['documents:read', 'search'];
export const USUAL_LIFETIME = '90d';
const NEVER = 'never';

/** What each part of a new key must be. */
const RULES: Record<string, string> = {
  tenantId: '--tenant must be from 1 to 255 bytes.',
  tenantUnitId: '--units must be units with commas between them.',
  datasetIds: '--datasets must be datasets with commas between them.',
  scopes: `--scopes must be all, or some of these with commas between them: ${permissions.join(', ')}.`,
  name: '--name must have from 1 to 255 characters.',
  expiresIn: '--expires must be never, or a number above 0 with s, m, h or d, such as 90d.',
};

/** @throws UsageError where no key can be made of it */
export function readNewKey(values: Values, args: string[]): NewApiKey {
  if (args.length > 0) throw new UsageError(`Unknown argument: ${args[0]}`);
  for (const name of ['tenant', 'name'] as const) {
    if (values[name] === undefined) throw new UsageError(`--${name} is missing.`);
  }
  const scopes = readScopes(values);
  if (
    values.datasets !== undefined &&
    scopes?.some((scope) => tenantWidePermissions.some((one) => one === scope))
  ) {
    throw new UsageError(
      `--datasets goes with neither ${tenantWidePermissions.join(' nor ')}: those concern the whole tenant. Leave out one or the other.`,
    );
  }
  if (/^0+\D/.test(values.expires ?? '')) throw new UsageError(RULES.expiresIn);
  const result = newApiKey.safeParse({
    scope: { tenantId: values.tenant, tenantUnitId: readList(values.units) },
    datasetIds: readList(values.datasets),
    scopes,
    name: values.name,
    expiresIn: values.expires === NEVER ? undefined : (values.expires ?? USUAL_LIFETIME),
  });
  if (result.success) return result.data;
  const places = result.error.issues.flatMap(({ path }) => path.map(String));
  const broken = Object.entries(RULES).filter(([part]) => places.includes(part));
  throw new UsageError(broken.map(([, rule]) => rule).join('\n'));
}

function readScopes({ scopes, admin }: Values): readonly string[] | undefined {
  if (admin && scopes !== undefined) throw new UsageError('--admin grants all scopes; leave out --scopes.');
  if (admin || scopes === 'all') return permissions;
  return scopes === undefined ? usualScopes : readList(scopes);
}

const readList = (list: string | undefined) => list?.split(',').map((item) => item.trim());
