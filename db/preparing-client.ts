import type pg from 'pg';
import { GuardedClient } from './guarded-client.js';
import { RowQuery } from './row-query.js';

/**
 * How often statements had to be prepared again, by all connections: a migration has changed what one of them returns,
 * and so perhaps what others do.
 */
let changes = 0;

/**
 * A connection that prepares the statements that have a name, and again where the schema has changed beneath them. Rows of
 * statements with a list of parameters, as Kysely sends them, have names in camel case.
 */
export const preparingClient = (nameOf: (text: string) => string | undefined): typeof pg.Client =>
  class extends GuardedClient {
    // biome-ignore lint/suspicious/noExplicitAny: the many signatures of pg
    override query(...[text, ...rest]: any[]): any {
      const [values] = rest;
      if (typeof text !== 'string' || !Array.isArray(values) || rest.length > 1)
        return super.query(text, ...(rest as []));
      const name = nameOf(text);
      const run = () => this.#run(name && `${name}_${changes}`, text, values);
      if (name === undefined) return run();
      const known = changes;
      return run().catch((error) => {
        if (!isStale(error)) throw error;
        if (changes === known) changes++;
        // In a transaction, which has failed, this fails as well: the next one prepares it anew.
        return run().catch((again) => {
          throw again.code === IN_FAILED_TRANSACTION ? error : again;
        });
      });
    }

    #run(name: string | undefined, text: string, values: unknown[]): Promise<unknown> {
      return new Promise((resolve, reject) => {
        super.query(
          new RowQuery(name, text, values, (error, result) => (error ? reject(error) : resolve(result))),
        );
      });
    }
  };

const IN_FAILED_TRANSACTION = '25P02';

/** "Cached plan must not change result type", whatever the language of the server's messages. */
const isStale = (error: { code?: unknown; routine?: unknown }): boolean =>
  error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
