import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { FileError } from './errors.js';
import { fileToMarkdown, type MarkdownFile } from './file-to-markdown.js';
import { forTerminal } from './shared/for-terminal.js';

const OPTIONS = {
  'file-name': { type: 'string' },
  'media-type': { type: 'string' },
  'max-characters': { type: 'string' },
  'no-comments': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const FILE_ERRORS: Record<string, string | undefined> = {
  ENOENT: 'There is no such file.',
  EISDIR: 'That is a folder; name a file.',
  EACCES: 'That file may not be read; check its permissions.',
};

/** @param name the name of the command, such as `file-to-markdown` */
export const usageOf = (
  name: string,
) => `Reads a file as Markdown: PDF, Word, PowerPoint, Excel, OpenDocument Text, RTF, EPUB, mail, web pages, CSV, JSON, XML, text.

Usage: ${name} FILE [options]

FILE - reads standard input. The content decides the format; name and media type count only if the content leaves it open.

  --file-name NAME       the name of the file; default: that of FILE
  --media-type TYPE      its media type, such as text/csv
  --max-characters N     fail where the file gives more text
  --no-comments          leave out comments on documents, slides and sheets
  --json                 print title, type, pages and warnings as JSON

Markdown goes to standard output, what was lost of the file to standard error. Ends with 0, with 1 when the file cannot be
read, or with 2 after a usage error.`;

/**
 * The command: reads the file that the arguments name, and prints it.
 *
 * @returns the exit code
 */
export async function runFileToMarkdown(name: string, args: string[]): Promise<number> {
  const given = readArguments(args);
  if (given === 'help') {
    process.stdout.write(`${usageOf(name)}\n`);
    return 0;
  }
  if (typeof given === 'string') {
    write(process.stderr, `${given} See: ${name} --help`);
    return 2;
  }
  try {
    const { file, json, ...options } = given;
    print(await fileToMarkdown(file === '-' ? await buffer(process.stdin) : file, options), json);
    return 0;
  } catch (error) {
    const sentence =
      error instanceof FileError ? error.message : FILE_ERRORS[(error as { code?: string }).code ?? ''];
    if (sentence === undefined) throw error;
    write(process.stderr, sentence);
    return 1;
  }
}

/** The arguments, `help`, or a sentence that says what is wrong with them. */
function readArguments(args: string[]) {
  try {
    const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
    if (values.help) return 'help';
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) return 'Name one file.';
    const { 'file-name': fileName, 'media-type': mediaType, 'max-characters': limit, json = false } = values;
    if (limit !== undefined && !/^[1-9]\d{0,14}$/.test(limit))
      return '--max-characters takes a whole number.';
    return {
      file,
      json,
      ...(fileName !== undefined && { fileName }),
      ...(mediaType !== undefined && { mediaType }),
      ...(limit !== undefined && { maxCharacters: Number(limit) }),
      ...(values['no-comments'] && { comments: false }),
    };
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    return `${sentence}.`;
  }
}

function print({ markdown, pages, warnings, ...file }: MarkdownFile, asJson: boolean): void {
  if (asJson) {
    write(process.stdout, JSON.stringify({ ...file, warnings, pages }, null, 2));
    return;
  }
  write(process.stdout, markdown);
  for (const { code, page, name, file: within } of warnings) {
    const place = [page !== undefined && `page ${page}`, name, within && `in ${within}`].filter(Boolean);
    write(process.stderr, [code.replaceAll('_', ' '), ...place].join(', '));
  }
}

const write = (stream: NodeJS.WriteStream, text: string): void =>
  void stream.write(`${forTerminal(text, stream)}\n`);
