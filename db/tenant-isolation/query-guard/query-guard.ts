import {
  type CompiledQuery,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  PostgresQueryCompiler,
  type RootOperationNode,
} from 'kysely';
import { findUnscopedTable } from './find-unscoped.js';

/** A statement on a tenant table without a tenant condition. It was not sent. */
export class UnscopedStatementError extends Error {
  override readonly name = 'UnscopedStatementError';
}

/** How many checked statements are cached, and the longest that is cached. */
const MAX_CACHED = 2_000;
const MAX_CACHED_LENGTH = 8_000;

/** Statements that passed, as the guard compiled them. */
const checked = new WeakMap<RootOperationNode, CompiledQuery>();

/** Compiles what the guard has not compiled already. */
export class GuardedQueryCompiler extends PostgresQueryCompiler {
  override compileQuery(
    ...[node, queryId]: Parameters<PostgresQueryCompiler['compileQuery']>
  ): CompiledQuery {
    return checked.get(node) ?? super.compileQuery(node, queryId);
  }
}

/**
 * Query guard: rejects statements on tenant tables without a tenant condition. Must be the last plugin that
 * transforms statements.
 */
export function tenantQueryGuard(): KyselyPlugin {
  const compiler = new PostgresQueryCompiler();
  const passed = new Set<string>();

  return {
    transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
      const compiled = compiler.compileQuery(node, queryId);
      const { sql } = compiled;
      if (!passed.has(sql)) {
        const refusal = checkStatement(sql);
        if (refusal) return rejectedNode(node, refusal);
        if (sql.length <= MAX_CACHED_LENGTH) cache(sql);
      }
      checked.set(node, compiled);
      return node;
    },
    transformResult: async ({ result }) => result,
  };

  function cache(sql: string): void {
    if (passed.size >= MAX_CACHED) passed.clear();
    passed.add(sql);
  }
}

function checkStatement(sql: string): UnscopedStatementError | undefined {
  try {
    const table = findUnscopedTable(sql);
    return table === undefined ? undefined : new UnscopedStatementError(unscopedMessage(table));
  } catch (error) {
    const { message } = error as Error;
    return new UnscopedStatementError(`A statement cannot be checked for its tenant: ${message}.`);
  }
}

const unscopedMessage = (table: string) =>
  `A statement on "${table}" names no tenant; add a condition on tenant_id, or mark it with unscoped().`;

/**
 * A node that throws when it is compiled. Kysely transforms parts of statements while they are built;
 * throwing there would leave parallel queries unawaited.
 */
const rejectedNode = (node: RootOperationNode, refusal: Error): RootOperationNode =>
  new Proxy(node, {
    get(target, key) {
      if (key === 'kind') return target.kind;
      throw refusal;
    },
  });
