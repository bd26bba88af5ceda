import { readOpenFiles } from '../../../config/open-files.js';
import { formatCount } from '../../shared/format.js';
import { type Check, ok, skipped, warning } from '../check.js';

/** Whether as many connections can be open as are allowed: each is a file to the system. */
export const checkOpenFiles: Check = {
  name: 'open files',
  async run({ config }) {
    const files = readOpenFiles(config);
    if (!files) return skipped('This system does not tell how many files can be open.');
    const { limit, needed } = files;
    const said = `${formatCount(limit)} can be open here; with MAX_CONNECTIONS=${config.connectionLimits.total} a server needs up to ${formatCount(needed)}.`;
    if (limit >= needed) return ok(said);
    return warning(
      said,
      'Raise the limit (ulimit -n, or LimitNOFILE of systemd) where the server starts, or lower MAX_CONNECTIONS.',
    );
  },
};
