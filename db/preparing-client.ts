import type pg from 'pg';
import { GuardedClient } from './guarded-client.js';

/**
 * How often statements had to be prepared again, by all connections: a migration has changed what one of them returns,
 * and so perhaps what others do.
 */
let changes = 0;

/** A connection that prepares the statements that have a name, and again where the schema has changed beneath them. */
export const preparingClient = (nameOf: (text: string) => string | undefined): typeof pg.Client =>
  class extends GuardedClient {
    // biome-ignore lint/suspicious/noExplicitAny: the many signatures of pg
    override query(...[text, ...rest]: any[]): any {
      const name = typeof text === 'string' && Array.isArray(rest[0]) ? nameOf(text) : undefined;
      if (name === undefined) return super.query(text, ...(rest as []));
      const [values, ...others] = rest;
      const known = changes;
      const run = () => super.query({ name: `${name}_${changes}`, text, values }, ...(others as []));
      const result = run() as unknown;
      if (!(result instanceof Promise)) return result;
      return result.catch((error) => {
        if (!isStale(error)) throw error;
        if (changes === known) changes++;
        // In a transaction, which has failed, this fails as well: the next one prepares it anew.
        return (run() as unknown as Promise<unknown>).catch((again) => {
          throw again.code === IN_FAILED_TRANSACTION ? error : again;
        });
      });
    }
  };

const IN_FAILED_TRANSACTION = '25P02';

/** "Cached plan must not change result type", whatever the language of the server's messages. */
const isStale = (error: { code?: unknown; routine?: unknown }): boolean =>
  error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
