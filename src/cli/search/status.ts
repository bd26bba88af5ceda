import type { Database } from '../../../db/schema.js';
import type { Config } from '../../config/config.js';
import { checkEndpoint } from '../../search/embedding/check-endpoint.js';
import { formatFields, JSON_OPTION } from '../shared/format.js';
import { describeStatus } from './describe-status.js';
import { runSearchCommand } from './run-search-command.js';

export const run = (args: string[]) =>
  runSearchCommand(
    args,
    `Shows the state of the search: the engine, its index, and the changes that have not reached it yet.

Usage: lectern search status [--json]

Shows the version of the search server only with MEILI_ADMIN_KEY.

${formatFields([JSON_OPTION])}
Exits with 0 if the engine answers searches, and with 1 if the search server does not, even if PostgreSQL answers in its
place.`,
    {},
    () =>
      async ({ config: { embedding }, db, operations, print }) => {
        const status = await operations.status();
        const questions = embedding && (await checkQuestions(db, embedding));
        const text = `${describeStatus(status, new Date())}${questions ? `\n${questions}\n` : ''}`;
        print({ ...status, ...(embedding && { questions }) }, text);
        return status.served ? 0 : 1;
      },
  );

/** Why questions are answered by words; null where the endpoint answers in time. */
async function checkQuestions(
  db: Database,
  embedding: NonNullable<Config['embedding']>,
): Promise<string | null> {
  const failure = await checkEndpoint(db, embedding, AbortSignal.timeout(embedding.searchTimeoutMs));
  return failure === undefined ? null : `Questions are answered by words alone: ${failure}`;
}
