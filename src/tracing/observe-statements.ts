import type { StatementObserver } from '../../db/observe-statements.js';
import { currentSpan } from './spans.js';

/** Longer statements are cut. */
const MAX_TEXT = 2_000;
/** A shorter wait for a connection is not worth a span. */
const MIN_WAIT_MS = 1;

/**
 * Spans of the statements of a pool, below the current span. Texts of statements hold no values: these are parameters.
 *
 * @param pool its name
 */
export const traceStatements = (pool: string): StatementObserver => ({
  executed({ text, ms, error }) {
    const parent = currentSpan();
    if (!parent?.isRecording) return;
    const statement = withoutTenant(text);
    const operation = (/[a-z]+/i.exec(statement)?.[0] ?? 'statement').toUpperCase();
    const table = /\b(?:from|into|^update) "?([a-z_]+)/.exec(statement)?.[1];
    const span = parent.startChild(table ? `${operation} ${table}` : operation, {
      kind: 'client',
      startTime: performance.timeOrigin + performance.now() - ms,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': statement.slice(0, MAX_TEXT),
        'lectern.pool': pool,
        'db.response.status_code': sqlStateOf(error),
      },
    });
    if (error) span.fail(error);
    span.end();
  },
  waited(ms) {
    const parent = currentSpan();
    if (!parent?.isRecording || ms < MIN_WAIT_MS) return;
    const startTime = performance.timeOrigin + performance.now() - ms;
    parent.startChild('wait for a connection', { startTime, attributes: { 'lectern.pool': pool } }).end();
  },
});

/** The one text with a value in it is that of `tenantTransaction`. */
const withoutTenant = (text: string): string => {
  const statement = text.trimStart();
  return statement.startsWith('begin;') ? 'begin; call become_tenant(?)' : statement;
};

const sqlStateOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
};
