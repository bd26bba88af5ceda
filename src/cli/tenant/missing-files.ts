import { existsSync } from 'node:fs';
import { conflict } from '../../errors/errors.js';
import type { FileStorage } from '../../storage/file-storage.js';
import { countOf } from '../shared/format.js';

type Place = Pick<FileStorage, 'location' | 'pathOf'>;

/**
 * For whoever is about to delete files: of a folder that is not there nothing can have been deleted before, so it is the
 * wrong one, or lost.
 *
 * @throws DomainError `conflict`
 */
export function assertFolderExists({ location, pathOf }: Place, files: number): void {
  if (files === 0 || !pathOf || existsSync(location)) return;
  throw conflict(
    `The tenant has ${countOf(files, 'file')}, and the folder of the storage, ${location}, does not exist. ${ADVICE} If the files are lost, make that folder and run this again.`,
    [],
  );
}

/** What to say of files that rows name and the storage does not have. */
export const describeMissing = (missing: number, { location }: Place): string =>
  `${countOf(missing, 'file')} ${missing === 1 ? 'is' : 'are'} not in the storage ${location}. ${ADVICE}`;

const ADVICE = 'Set DATA_DIR and STORAGE_URL as the server has them.';
