import { once } from 'node:events';
import { z } from 'zod';
import {
  conversationExport,
  type ExportFormat,
  exportFormats,
} from '../../services/conversations/transfer/transfer.schema.js';
import { runCommand, UsageError } from '../run-command.js';
import { countOf, formatChoices, formatFields } from '../shared/format.js';
import { didYouMean } from '../shared/nearest.js';
import { printError } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { connect, explainFailure, SERVER_HELP, SERVER_OPTIONS } from './connect.js';

const {
  scope: _scope,
  format: _format,
  conversationId: _id,
  after: _after,
  ...filter
} = conversationExport.shape;

/** The fields of the filter as options: `--agent-id`. Those with several values can be repeated. */
const FILTER_OPTIONS = Object.entries(filter).map(([field, schema]) => ({
  field,
  name: field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  multiple: z.toJSONSchema(schema, { unrepresentable: 'any' }).type === 'array',
}));

export const run = (args: string[]) =>
  runCommand(
    args,
    `Writes conversations and their messages to standard output, the oldest conversation first.

Usage: lectern conversations export --url URL --tenant TENANT [options] > FILE

${formatFields([
  ...SERVER_HELP,
  ['--format', `${formatChoices(exportFormats)}; default ndjson, which lectern conversations import reads`],
  ['--unit', 'only of this unit; can be repeated'],
  ['--conversation', 'this conversation alone'],
  ...FILTER_OPTIONS.map(({ name, multiple }): [string, string] => [
    `--${name}`,
    `as ${multiple ? 'one of the values' : 'the value'} of this filter of conversations.list${multiple ? '; can be repeated' : ''}`,
  ]),
])}
The API key is in the environment variable LECTERN_KEY; it needs the permission conversations:read. Progress is on standard
error. While the server is away, tries again for about ten minutes, and goes on where it was. Exits with 0, 1 (failed: the
file is not complete) or 2 (usage error).`,
    async ({ values: { url, tenant, format = 'ndjson', unit, conversation, ...given } }) => {
      if (!isFormat(format)) {
        throw new UsageError(
          `--format must be ${formatChoices(exportFormats)}, not "${format}".${didYouMean(format, exportFormats)}`,
        );
      }
      const { lectern, tenantId } = connect({ url, tenant });
      const scope = { tenantId, ...(unit && { tenantUnitId: unit }) };
      const asked = given as Record<string, string | string[] | undefined>;
      const filters = Object.fromEntries(FILTER_OPTIONS.map(({ field, name }) => [field, asked[name]]));
      const progress = createProgress({ out: process.stderr });
      const done = { conversations: 0, messages: 0 };
      try {
        const total = conversation
          ? 1
          : (await lectern.trpc.conversations.list.query({ scope, ...filters, pageSize: 1 })).totalCount;
        const input = { scope, ...filters, format, conversationId: conversation };
        let page = await lectern.trpc.conversations.export.query(input);
        for (;;) {
          if (!process.stdout.write(page.text)) await once(process.stdout, 'drain');
          done.conversations += page.conversations;
          done.messages += page.messages;
          progress.update({ label: 'export', done: done.conversations, total, unit: 'conversation' });
          if (!page.next) break;
          page = await lectern.trpc.conversations.export.query({ ...input, after: page.next });
        }
      } catch (error) {
        throw explainFailure(error);
      } finally {
        progress.end();
      }
      const { conversations, messages } = done;
      printError(`${countOf(conversations, 'conversation')} and ${countOf(messages, 'message')}.\n`);
    },
    {
      options: {
        ...SERVER_OPTIONS,
        format: { type: 'string' },
        unit: { type: 'string', multiple: true },
        conversation: { type: 'string' },
        ...Object.fromEntries(
          FILTER_OPTIONS.map(({ name, multiple }) => [name, { type: 'string' as const, multiple }]),
        ),
      },
    },
  );

const isFormat = (format: string): format is ExportFormat => exportFormats.some((one) => one === format);
