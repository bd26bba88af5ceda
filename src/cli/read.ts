import { runFileToMarkdown } from '@lectern/file-to-markdown/command';

export const run = async (args: string[]) => {
  process.exitCode = await runFileToMarkdown('lectern read', args);
};
