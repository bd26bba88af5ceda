import { Gauge, type Registry } from 'prom-client';

/** As `pg.Pool` has them. */
interface Pool {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
}

/** Connections to PostgreSQL, and who waits for one, as they are when they are asked for. */
export function createPoolMetrics(registry: Registry, pools: Record<string, Pool>): void {
  new Gauge({
    name: 'lectern_database_connections',
    help: 'Connections of each pool, by state (active, idle).',
    labelNames: ['pool', 'state'] as const,
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'active' }, totalCount - idleCount);
      }
    },
  });
  new Gauge({
    name: 'lectern_database_connections_awaited',
    help: 'Requests and tasks that wait for a connection of each pool.',
    labelNames: ['pool'] as const,
    registers: [registry],
    collect() {
      for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount);
    },
  });
}
