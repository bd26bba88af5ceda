import type { Database } from '../../../db/schema.js';
import { ConfigError } from '../../config/config.js';
import { unavailable } from '../../errors/errors.js';
import { EndpointError } from '../../model-endpoint/endpoint-error.js';
import { toOperatorMessage } from '../../model-endpoint/operator-message.js';
import { checkEndpoint } from '../../search/embedding/check-endpoint.js';
import type { EmbeddingSettings } from '../../search/embedding/endpoint.js';
import { createModel } from '../../search/embedding/models.js';
import type { EmbeddingStatus } from '../../search/operations/search-operations.js';
import { UsageError } from '../run-command.js';
import { formatFields, JSON_OPTION } from '../shared/format.js';
import { embeddingFields } from './describe-status.js';
import { runSearchCommand } from './run-search-command.js';

export const run = (args: string[]) =>
  runSearchCommand(
    args,
    `Shows how far chunk texts are embedded for search by meaning, or embeds all of them again.

Usage: lectern search embed [--status | --rebuild] [--json]

A running server embeds new texts by itself, and all texts after EMBEDDING_MODEL has changed. Searches use the old
vectors until the new ones are complete; keep the old model available until then.

${formatFields([
  [
    '--status',
    'asks the endpoint for one vector, and shows the model, what waits, what failed and was spent; the default',
  ],
  ['--rebuild', 'embeds all texts again with the same model, such as after its weights have changed'],
  JSON_OPTION,
])}
Exits with 0, or with 1 if the endpoint fails or no model was ever configured.`,
    { options: { status: { type: 'boolean' }, rebuild: { type: 'boolean' } } },
    ({ values }) => {
      if (values.status && values.rebuild) throw new UsageError('Say --status or --rebuild, not both.');
      return async ({ config, db, operations, print }) => {
        const { signal } = new AbortController();
        if (values.rebuild) {
          if (!config.embedding)
            throw new ConfigError('Set EMBEDDING_MODEL: without it no server embeds texts.');
          await rebuild(db, config.embedding, signal);
        }
        const failure = (config.embedding && (await checkEndpoint(db, config.embedding, signal))) ?? null;
        const { embedding } = await operations.status();
        print({ embedding, failure }, describe(embedding, failure));
        return embedding && !failure ? 0 : 1;
      };
    },
  );

async function rebuild(db: Database, settings: EmbeddingSettings, signal: AbortSignal): Promise<void> {
  try {
    await createModel(db, settings, { signal });
  } catch (error) {
    throw error instanceof EndpointError ? unavailable(toOperatorMessage(error)) : error;
  }
}

function describe(embedding: EmbeddingStatus | null, failure: string | null): string {
  const fields = [
    ...(embedding ? embeddingFields(embedding) : []),
    ...(failure ? [['failure', failure] as [string, string]] : []),
  ];
  return `${embedding ? '' : NEVER}${formatFields(fields)}`;
}

const NEVER = 'No text was ever embedded. A server does that where EMBEDDING_MODEL is set.\n';
