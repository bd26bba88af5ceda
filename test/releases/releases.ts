import { readdirSync } from 'node:fs';
import path from 'node:path';

/** The dumps of all releases, and beside each what its server answered. */
export const RELEASES = 'test/fixtures/releases';

/** The versions that have one. */
export const releases = (): string[] =>
  readdirSync(RELEASES)
    .filter((file) => file.endsWith('.sql.gz'))
    .map((file) => path.basename(file, '.sql.gz'));
