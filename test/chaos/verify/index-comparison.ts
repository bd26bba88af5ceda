import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from '../topology/commands.js';

const PATIENCE_MS = 300_000;
const POLL_MS = 1_000;

interface Differing {
  count: number;
  ids: string[];
}

export interface Comparison {
  chunks: number;
  waiting: number;
  setAside: number;
  missing: Differing;
  outdated: Differing;
  surplus: Differing;
}

/**
 * Waits until all changes have reached the search server.
 *
 * @returns how the index and the database compare then, by `lectern search verify`
 */
export async function compareIndex(env: NodeJS.ProcessEnv): Promise<Comparison> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { status, output, errors } = await runCommand(['search', 'verify', '--json'], env);
    const compared: Comparison | undefined = output ? JSON.parse(output) : undefined;
    if (compared?.waiting === 0) return compared;
    if (performance.now() > deadline) {
      const reason = compared ? `${compared.waiting} changes still wait.` : `Status ${status}: ${errors}`;
      throw new Error(`The index does not come into step. ${reason}`);
    }
    await delay(POLL_MS);
  }
}

export const countDifferences = ({ missing, outdated, surplus, setAside }: Comparison): number =>
  missing.count + outdated.count + surplus.count + setAside;
