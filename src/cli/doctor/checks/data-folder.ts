import { accessSync, constants, existsSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Check, ok, problem } from '../check.js';

export const checkDataFolder: Check = {
  name: 'data folder',
  async run({ config: { dataDir } }) {
    const existing = nearestExisting(dataDir);
    if (!statSync(existing).isDirectory()) {
      return problem(`${existing} is not a folder.`, 'Set DATA_DIR to a folder.');
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
    return ok(
      existing === dataDir ? `${dataDir} can be written.` : `${dataDir} is made when the server starts.`,
    );
  },
};

/** The folder, or the one above it in which it would be made. */
export function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(path.dirname(folder));
}
