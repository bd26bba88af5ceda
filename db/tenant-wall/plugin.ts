import {
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  PostgresQueryCompiler,
  type RootOperationNode,
} from 'kysely';
import { findUnscoped } from './judge.js';

/** A statement on a table of tenants that names no tenant. It was not sent. */
export class UnscopedStatementError extends Error {
  override readonly name = 'UnscopedStatementError';
}

/** Statements whose verdicts are remembered, and how long they may be for that. */
const MAX_REMEMBERED = 2_000;
const MAX_LENGTH = 8_000;

/**
 * Refuses statements on tables of tenants that name no tenant, whoever forgot it. It has to stand behind all plugins
 * that change statements.
 */
export function tenantWall(): KyselyPlugin {
  const compiler = new PostgresQueryCompiler();
  const passed = new Set<string>();

  return {
    transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
      const { sql } = compiler.compileQuery(node, queryId);
      if (passed.has(sql)) return node;
      const refusal = judge(sql);
      if (refusal) return failing(node, refusal);
      if (sql.length <= MAX_LENGTH) remember(sql);
      return node;
    },
    transformResult: async ({ result }) => result,
  };

  function remember(sql: string): void {
    if (passed.size >= MAX_REMEMBERED) passed.clear();
    passed.add(sql);
  }
}

function judge(sql: string): UnscopedStatementError | undefined {
  try {
    const table = findUnscoped(sql);
    return table === undefined ? undefined : new UnscopedStatementError(namesNone(table));
  } catch (error) {
    const { message } = error as Error;
    return new UnscopedStatementError(`A statement cannot be checked for its tenant: ${message}.`);
  }
}

const namesNone = (table: string) =>
  `A statement on "${table}" names no tenant; add a condition on tenant_id, or mark it with unscoped().`;

/**
 * A statement that cannot be compiled. Parts of statements come by here where they are written, and an error thrown
 * there would leave what was sent at the same time with nobody to wait for it.
 */
const failing = (node: RootOperationNode, refusal: Error): RootOperationNode =>
  new Proxy(node, {
    get(target, key) {
      if (key === 'kind') return target.kind;
      throw refusal;
    },
  });
