/** What a row tells beside the name. */
export const columns = [
  'type',
  'datasets',
  'status',
  'enabled',
  'chunks',
  'size',
  'created',
  'updated',
  'by',
] as const;
export type Column = (typeof columns)[number];
/** Those that are shown unless the address asks for others. */
export const usualColumns: readonly string[] = columns.filter((one) => one !== 'created' && one !== 'by');
