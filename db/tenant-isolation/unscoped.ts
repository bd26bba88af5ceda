import { CamelCasePlugin, type KyselyPlugin } from 'kysely';
import type { Queryable } from '../schema.js';

// Without maintainNestedObjectKeys the keys inside callers' own JSON would be rewritten too.
export const camelCaseNames: KyselyPlugin = new CamelCasePlugin({ maintainNestedObjectKeys: true });

/**
 * The same database or transaction without the tenant wall, for what concerns all tenants or is not known to belong
 * to one yet. ARCHITECTURE.md lists the reasons.
 *
 * @param _reason a plain sentence that says why no tenant is named
 */
export const unscoped = <T extends Queryable>(db: T, _reason: string): T =>
  db.withoutPlugins().withPlugin(camelCaseNames) as T;
