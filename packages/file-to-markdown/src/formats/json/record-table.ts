const MAX_COLUMNS = 30;
const MAX_CELL = 300;
/** Records of one shape share most of their keys. */
const MIN_FILLED = 0.6;

/** Flat objects of one shape as rows under their keys; undefined for anything else. */
export function recordsToTable(values: readonly unknown[]): string[][] | undefined {
  if (values.length < 2 || !values.every(isRecord)) return undefined;
  const columns = new Set<string>();
  let filled = 0;
  for (const record of values) {
    for (const [key, value] of Object.entries(record)) {
      if (!isInlineValue(key) || !isInlineValue(value)) return undefined;
      columns.add(key);
      filled++;
    }
    if (columns.size > MAX_COLUMNS) return undefined;
  }
  if (columns.size < 2 || filled < values.length * columns.size * MIN_FILLED) return undefined;
  const keys = [...columns];
  return [keys, ...values.map((record) => keys.map((key) => scalarText(record[key] ?? '')))];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

export function scalarText(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}

/** Scalars that read well in one line among others. */
export function isInlineValue(value: unknown): boolean {
  return (
    isScalar(value) && (typeof value !== 'string' || (value.length <= MAX_CELL && !/[\n\r]/.test(value)))
  );
}
