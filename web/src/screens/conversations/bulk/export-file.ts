import { client, type Inputs } from '../../../api/trpc';
import { type ListedConversation, refOf } from '../search-params';
import type { Target } from './steps';

type ExportInput = Inputs['conversations']['export'];
export type ExportFormat = NonNullable<ExportInput['format']>;

const formats: readonly ExportFormat[] = ['ndjson', 'csv', 'markdown', 'html'];
/** Those whose files can be joined. */
const joined = { ndjson: 'conversations.ndjson', markdown: 'conversations.md' };
const isJoined = (format: ExportFormat): format is keyof typeof joined => format in joined;

/** What can be downloaded: exports of one conversation each are joined here. */
export const formatsOf = (target: Target): readonly ExportFormat[] =>
  'conversations' in target ? formats.filter(isJoined) : formats;

/** The file of all that the filters match, which the server sends while it reads them. */
export const addressOfExport = (
  { scope, filter }: Extract<Target, { count: number }>,
  format: ExportFormat,
): string => {
  const input: ExportInput = { scope, ...filter, format };
  return `/exports/conversations?${new URLSearchParams({ input: JSON.stringify(input) })}`;
};

interface ChosenExport {
  conversations: readonly ListedConversation[];
  format: ExportFormat;
}

/** Downloads some conversations, part by part. */
export async function exportChosen({ conversations, format }: ChosenExport): Promise<void> {
  const parts: string[] = [];
  for (const conversation of conversations) {
    let after: ExportInput['after'];
    do {
      const input = { ...refOf(conversation), format, after };
      const { text, next } = await client.conversations.export.query(input);
      parts.push(text);
      after = next ?? undefined;
    } while (after);
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(parts, { type: 'text/plain' }));
  link.download = isJoined(format) ? joined[format] : '';
  link.click();
  URL.revokeObjectURL(link.href);
}
