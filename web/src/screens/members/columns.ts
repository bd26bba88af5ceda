import type { Inputs } from '../../api/trpc';

/** What a row tells beside the name. */
export const columns = ['issuer', 'role', 'reach', 'since', 'lastSeen'] as const;
export type Column = (typeof columns)[number];
/** Those that are shown unless the address asks for others. */
export const usualColumns: readonly string[] = columns.filter((one) => one !== 'since');

/** What the list can be sorted by. */
export const orders = [
  'name',
  'lastSeenTime',
  'createdTime',
] as const satisfies Inputs['members']['list']['order'][];
