import { setTimeout as delay } from 'node:timers/promises';
import { runCommand } from './commands.js';

const PATIENCE_MS = 600_000;
const POLL_MS = 500;

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
 * Waits until all changes have reached the index.
 *
 * @returns how the index and the database compare then
 */
export async function waitForSync(env: NodeJS.ProcessEnv): Promise<Comparison> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const { status, output, errors } = await runCommand(['search', 'verify', '--json'], env).result;
    const compared: Comparison | undefined = output ? JSON.parse(output) : undefined;
    if (compared?.waiting === 0) return compared;
    if (performance.now() > deadline) {
      const reason = compared ? `${compared.waiting} changes still wait.` : `Status ${status}: ${errors}`;
      throw new Error(`The index does not come into step. ${reason}`);
    }
    await delay(POLL_MS);
  }
}

export const countDifferences = ({ missing, outdated, surplus }: Comparison): number =>
  missing.count + outdated.count + surplus.count;
