import { realpathSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDatabaseFolder } from '../../../../db/embedded.js';
import type { Config } from '../../../config/config.js';
import { formatBytes } from '../../shared/format.js';
import { type Check, type Finding, ok, problem, warning } from '../check.js';
import { nearestExisting } from './data-folder.js';

const GIB = 1024 ** 3;
/** Below, uploads and the database fail soon. */
const LEAST_BYTES = GIB / 2;
const FEW_BYTES = 2 * GIB;
const FEW_SHARE = 0.05;

/** The disks of all folders that are written to, each once. */
export const checkDisk: Check = {
  name: 'disk',
  async run({ config }) {
    const folders = foldersOf(config).map(nearestExisting);
    const disks = new Map(folders.map((folder) => [statSync(folder).dev, realpathSync(folder)]));
    return [...disks.values()].flatMap(checkFolder);
  },
};

function foldersOf({ dataDir, storageUrl, databaseUrl }: Config): string[] {
  return [
    os.tmpdir(),
    ...(databaseUrl ? [] : [findDatabaseFolder(dataDir) ?? dataDir]),
    ...(storageUrl?.startsWith('file:') ? [fileURLToPath(storageUrl)] : []),
    path.resolve(dataDir),
  ];
}

function checkFolder(folder: string): Finding[] {
  const { bavail, blocks, bsize } = statfsSync(folder);
  // Of file systems of the kernel nobody knows.
  if (blocks === 0) return [];
  const free = bavail * bsize;
  const said = `${formatBytes(free)} of ${formatBytes(blocks * bsize)} are free at ${folder}.`;
  const advice = 'Free some space, or move the data to a larger disk.';
  if (free < LEAST_BYTES) return [problem(said, advice)];
  return [free < FEW_BYTES || bavail < blocks * FEW_SHARE ? warning(said, advice) : ok(said)];
}
