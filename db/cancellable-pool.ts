import { setTimeout as delay } from 'node:timers/promises';
import type { PostgresPool } from 'kysely';
import type pg from 'pg';

/** Work whose statements are cancelled when nobody waits for them any more, such as a read. */
export interface StatementOwner {
  /** It gets no connection any more. */
  isCancelled?: boolean;
}

export interface CancellationOptions {
  /** Whose work the caller is doing; undefined where that is not cancelled. */
  currentOwner: () => StatementOwner | undefined;
  /** Cancels what a server process of PostgreSQL is executing; over another pool, since this one may be exhausted. */
  cancelBackend: (processId: number) => Promise<unknown>;
}

interface CancellablePool extends PostgresPool {
  cancel(owner: StatementOwner): void;
}

/** Between two cancellations of what a connection executes. */
const PAUSE_MS = 50;

/** A statement that was not sent, since its client has disconnected. */
class StatementCancelledError extends Error {
  override readonly name = 'AbortError';
}

/**
 * A pool that knows whose statements its connections execute, and cancels them in PostgreSQL on demand, until the
 * connection is released. Nothing else is sent over it before the last cancellation has been answered, so that none meets
 * another's statement.
 */
export function cancellablePool(
  pool: pg.Pool,
  { currentOwner, cancelBackend }: CancellationOptions,
): CancellablePool {
  const owners = new Map<pg.PoolClient, StatementOwner>();
  const cancellations = new Map<pg.PoolClient, Promise<unknown>>();
  pool.on('release', (_error, client) => owners.delete(client));

  return {
    async connect() {
      const owner = currentOwner();
      if (owner?.isCancelled) throw cancelledError();
      const client = await pool.connect();
      if (cancellations.size > 0) await cancellations.get(client);
      if (owner?.isCancelled) {
        client.release();
        throw cancelledError();
      }
      if (owner) owners.set(client, owner);
      return client as Awaited<ReturnType<PostgresPool['connect']>>;
    },
    end: () => pool.end(),

    cancel(owner) {
      owner.isCancelled = true;
      for (const [client, one] of owners) {
        if (one === owner) cancellations.set(client, cancelUntilReleased(client, owner));
      }
    },
  };

  /** What arrives between two statements cancels neither. */
  async function cancelUntilReleased(client: pg.PoolClient, owner: StatementOwner): Promise<void> {
    while (owners.get(client) === owner) {
      await cancelBackend(processIdOf(client)).catch(() => {});
      if (owners.get(client) === owner) await delay(PAUSE_MS);
    }
    cancellations.delete(client);
  }
}

const processIdOf = (client: pg.PoolClient): number => (client as unknown as { processID: number }).processID;

const cancelledError = () => new StatementCancelledError('The client has disconnected; nothing was asked.');
