import { ConfigError } from '../../../config.js';
import { startRebuild } from '../../../search/embedding/models.js';
import { formatFields, JSON_OPTION } from '../../format.js';
import { UsageError } from '../../run-command.js';
import { embeddingFields } from '../../search/describe-status.js';
import { runSearchCommand } from '../../search/run-search-command.js';

export const run = (args: string[]) =>
  runSearchCommand(
    args,
    `Shows how far chunk texts are embedded for search by meaning, or has all embedded anew.

Usage: lectern search embed [--status | --rebuild] [--json]

A running server embeds new texts by itself, and all texts after EMBEDDING_MODEL has changed. The former vectors serve until
the new ones are complete; keep the former model available so long.

${formatFields([
  ['--status', 'shows the model, what waits, what failed, and what was spent; the default'],
  ['--rebuild', 'has all texts embedded anew by the same model, such as after its weights have changed'],
  JSON_OPTION,
])}
Ends with 0, or with 1 where no model was ever configured.`,
    { options: { status: { type: 'boolean' }, rebuild: { type: 'boolean' } } },
    ({ values }) => {
      if (values.status && values.rebuild) throw new UsageError('Say --status or --rebuild, not both.');
      return async ({ config, db, operations, print }) => {
        if (values.rebuild) {
          if (!config.embedding)
            throw new ConfigError('Set EMBEDDING_MODEL: without it no server embeds texts.');
          await startRebuild(db);
        }
        const { embedding } = await operations.status();
        print(embedding, embedding ? formatFields(embeddingFields(embedding)) : NEVER);
        return embedding ? 0 : 1;
      };
    },
  );

const NEVER = 'No text was ever embedded: set EMBEDDING_URL and EMBEDDING_MODEL, and start a server.\n';
