import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { runCommand, UsageError } from '../run-command.js';
import { countOf, formatFields } from '../shared/format.js';
import { print, printError } from '../shared/print.js';
import { createProgress } from '../shared/progress.js';
import { connect, explainFailure, SERVER_HELP, SERVER_OPTIONS } from './connect.js';
import { type Fault, groupRecords } from './group-records.js';
import { readRecords } from './read-records.js';
import { createSender } from './send-parts.js';

/** Faults that are told; others are counted. */
const MAX_FAULTS = 100;

export const run = (args: string[]) =>
  runCommand(
    args,
    `Stores conversations and messages that lectern conversations export has written as NDJSON.

Usage: lectern conversations import FILE --url URL --tenant TENANT [options]

${formatFields([
  ['FILE', 'the file, or - for standard input'],
  ...SERVER_HELP,
  ['--unit', 'puts all conversations into this unit; without it, each gets the unit that the file says'],
])}
The API key is in the environment variable LECTERN_KEY; it needs the permissions conversations:write and messages:write.

What is stored already is not stored again, so that an import which was interrupted can be started again. Of a conversation
that is refused, nothing is stored; standard error has its lines and the reasons, of the first ${MAX_FAULTS}. A conversation of more than
500 messages is stored in parts, and what precedes a refused part stays. While the server is away, tries again for about
ten minutes. Exits with 0, 1 (failed, or something was refused) or 2 (usage error).`,
    async ({ values: { url, tenant, unit }, positionals: [file, ...more] }) => {
      if (file === undefined || more.length > 0)
        throw new UsageError('Name one file, or - for standard input.');
      const { lectern, tenantId } = connect({ url, tenant });
      const progress = createProgress({ out: process.stderr });
      let faults = 0;
      const onFault = ({ line, reason }: Fault) => {
        faults += 1;
        progress.end();
        if (faults <= MAX_FAULTS) printError(`Line ${line}: ${reason}\n`);
      };
      const sender = createSender({ lectern, tenantId, unit, onFault });
      const total = file === '-' ? undefined : (await stat(file)).size;
      const input = file === '-' ? process.stdin : createReadStream(file);
      let read = 0;
      const counted = async function* () {
        for await (const chunk of input as AsyncIterable<Buffer>) {
          yield chunk;
          read += chunk.byteLength;
          if (total !== undefined) progress.update({ label: 'import', done: read, total, unit: 'byte' });
        }
      };
      try {
        for await (const found of groupRecords(readRecords(counted()))) {
          if (Array.isArray(found)) await sender.add(found);
          else onFault(found);
        }
        await sender.flush();
      } catch (error) {
        throw explainFailure(error);
      } finally {
        progress.end();
      }
      const { conversations, messages, sentConversations, sentMessages } = sender.done;
      const before = `${countOf(sentConversations - conversations, 'conversation')} and ${countOf(sentMessages - messages, 'message')}`;
      print(
        `Stored ${countOf(conversations, 'conversation')} and ${countOf(messages, 'message')}; ${before} had been there before.\n`,
      );
      if (faults === 0) return;
      if (faults > MAX_FAULTS) printError(`${countOf(faults - MAX_FAULTS, 'further fault')}.\n`);
      process.exitCode = 1;
    },
    { options: { ...SERVER_OPTIONS, unit: { type: 'string' } }, allowPositionals: true },
  );
