import type { Prune } from '../../db/prune.js';

/** Runs a sweep to its end. @returns how much each batch has deleted */
export async function drain(prune: Prune): Promise<number[]> {
  const batches: number[] = [];
  for await (const rows of prune) batches.push(rows);
  return batches;
}
