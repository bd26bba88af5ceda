import { camelCaseNames } from '../camel-case-names.js';
import type { Queryable } from '../schema.js';

/**
 * The same database or transaction without the query guard, for statements across tenants.
 * docs/unscoped-statements.md lists them.
 *
 * @param _reason why there is no tenant condition, as a sentence
 */
export const unscoped = <T extends Queryable>(db: T, _reason: string): T =>
  db.withoutPlugins().withPlugin(camelCaseNames) as T;
