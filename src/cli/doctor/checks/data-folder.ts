import { accessSync, constants, existsSync, lstatSync, readlinkSync, statfsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { dataFolderMode } from '../../../../db/folders.js';
import { type Check, ok, problem, warning } from '../check.js';

/** Of file systems in which nobody makes folders: proc and sysfs. */
const KERNEL_TYPES = [0x9fa0, 0x62656572];
/** Rights of everybody to read names or to write. */
const OF_OTHERS = 0o006;

export const checkDataFolder: Check = {
  name: 'data folder',
  async run({ config: { dataDir } }) {
    const existing = nearestExisting(dataDir);
    const link = danglingLink(dataDir, existing);
    if (link) {
      return problem(
        `${link} is a symbolic link to ${readlinkSync(link)}, which is not there.`,
        'Make that folder, or set DATA_DIR to another one.',
      );
    }
    if (!statSync(existing).isDirectory()) {
      return problem(`${existing} is not a folder.`, 'Set DATA_DIR to a folder.');
    }
    if (KERNEL_TYPES.includes(statfsSync(existing).type)) {
      return problem(`${existing} is a file system of the kernel.`, 'Set DATA_DIR to another folder.');
    }
    try {
      accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch {
      const { username } = os.userInfo();
      return problem(
        `The user ${username} cannot write to ${existing}.`,
        `Change its owner (chown ${username} ${existing}), or set DATA_DIR to another folder.`,
      );
    }
    if (existing !== dataDir) return ok(`${dataDir} is made when the server starts.`);
    return (statSync(dataDir).mode & OF_OTHERS) === 0
      ? ok(`${dataDir} can be written.`)
      : warning(
          `Every user of this machine can look into ${dataDir}.`,
          `Close it: chmod ${dataFolderMode().toString(8)} ${dataDir}`,
        );
  },
};

/** The folder, or the one above it in which it would be made. */
export function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(path.dirname(folder));
}

/** The symbolic link to nothing that stands where the folder, or one above it, would be made. */
function danglingLink(folder: string, existing: string): string | undefined {
  const [next] = path.relative(existing, folder).split(path.sep);
  const place = path.join(existing, next ?? '');
  return place !== existing && lstatSync(place, { throwIfNoEntry: false }) ? place : undefined;
}
