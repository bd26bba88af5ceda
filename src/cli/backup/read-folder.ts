import path from 'node:path';
import { UsageError } from '../run-command.js';

/** @throws UsageError unless there is one */
export function readFolder([given, ...more]: string[]): string {
  if (!given || more.length > 0) throw new UsageError('Name the folder of one backup.');
  return path.resolve(given);
}
