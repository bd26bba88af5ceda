import type { Inputs } from '../../api/trpc';

/** What a row tells beside the name. */
export const columns = ['status', 'reach', 'permissions', 'created', 'lastUsed', 'expires'] as const;
export type Column = (typeof columns)[number];
/** Those that are shown unless the address asks for others. */
export const usualColumns: readonly string[] = columns.filter((one) => one !== 'created');

/** What the list can be sorted by. */
export const orders = [
  'name',
  'lastUsedTime',
  'expiresTime',
  'createdTime',
] as const satisfies Inputs['apiKeys']['list']['order'][];
