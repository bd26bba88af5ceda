/** PostgreSQL's messages in these classes name tables and columns; in others they may quote what they were given. */
const SAFE_ERROR_CLASS = /^(08|23|25|40|42(?!601)|53|55|57)/;
const MAX_CAUSES = 5;

/** The fields that are logged. Others contain rows, queries, requests and headers. */
const LOGGED_FIELDS = [
  'code',
  'errno',
  'syscall',
  'status',
  'statusCode',
  'severity',
  'schema',
  'table',
  'column',
  'dataType',
  'constraint',
  'routine',
];

/** Serializes an error for the log: type, message, codes and stack, without values. */
export function serializeError(error: unknown): unknown {
  return describe(error, 0);
}

function describe(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : { type: typeof error };
  const fields = error as unknown as Record<string, unknown>;
  const telling = LOGGED_FIELDS.filter((name) => ['string', 'number'].includes(typeof fields[name]));
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message: messageOf(error),
    ...Object.fromEntries(telling.map((name) => [name, fields[name]])),
    stack: framesOf(error),
    ...(depth < MAX_CAUSES && error.cause !== undefined && { cause: describe(error.cause, depth + 1) }),
    ...(error instanceof AggregateError &&
      depth < MAX_CAUSES && { errors: error.errors.map((one) => describe(one, depth + 1)) }),
  };
}

function messageOf(error: Error): string {
  return quotesValues(error) ? error.message.replace(/"[\s\S]*"/, '"…"') : error.message;
}

/** JSON.parse quotes its input. */
function quotesValues(error: Error): boolean {
  if (error instanceof SyntaxError) return true;
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && severity !== undefined && !SAFE_ERROR_CLASS.test(code);
}

/**
 * The standard error of a process without file contents: error names, stack frames and fatal errors of the
 * runtime.
 */
export function serializeStderr(text: unknown): string {
  return String(text)
    .split('\n')
    .flatMap((line) => /^\s+at .*|^FATAL ERROR.*|^(Uncaught )?\w*Error\b/.exec(line)?.[0] ?? [])
    .join('\n');
}

/** The stack starts with the message, which may span lines. */
const framesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
