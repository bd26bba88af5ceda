import { pino } from 'pino';
import { SANDBOX_PROGRAM } from '../../../compose/processing.js';
import { createChunkingSandbox } from '../../../ingestion/chunking/chunking-sandbox.js';
import { fileLimits } from '../../../ingestion/limits/file-limits.js';
import { PREVIEW_FILE_LIMITS, PREVIEW_SANDBOX_LIMITS } from '../../../ingestion/preview/preview-limits.js';
import { type Check, ok, problem } from '../check.js';

const TEXT = 'A text of lectern doctor.';

/** Has a process parse a text, as documents are. */
export const checkParsers: Check = {
  name: 'parsers',
  async run({ config: { chunking } }) {
    const sandbox = createChunkingSandbox({
      program: SANDBOX_PROGRAM,
      concurrency: 1,
      limits: PREVIEW_SANDBOX_LIMITS,
      log: pino({ level: 'silent' }),
    });
    try {
      const task = {
        ...{
          path: '',
          text: TEXT,
          size: TEXT.length,
          limits: fileLimits(TEXT.length, PREVIEW_FILE_LIMITS),
        },
        documentName: 'doctor',
        lastModified: new Date().toISOString(),
        chunking,
      };
      await sandbox.run(task, { onProgress: () => {}, onBatch: async () => {} });
      return ok('Files are parsed in processes of their own.');
    } catch (error) {
      return problem(
        `No process can parse files: ${(error as Error).message}`,
        'Install the package again, and let the user of the server start processes (limits of the system or the container).',
      );
    } finally {
      await sandbox.close();
    }
  },
};
