import path from 'node:path';
import { parse } from './parse.js';
import { sourceFromBuffer, sourceFromFile } from './source-bytes.js';
import { TextBudget } from './text-budget.js';
import type { ParsedPage, SubType, WarningPlace } from './types.js';
import type { WarningCode } from './warning-codes.js';

export interface FileToMarkdownOptions {
  /** Hints, used where the content leaves the type or the encoding open; default: the name of the file's path. */
  fileName?: string;
  mediaType?: string;
  /** Limit of the text in characters, with that of embedded files; default: none. */
  maxCharacters?: number;
  /** Whether comments on a document, slide or sheet are kept, as notes at their place; default: true. */
  comments?: boolean;
  signal?: AbortSignal;
}

export interface MarkdownFile {
  /** All pages, with an empty line between. */
  markdown: string;
  /** Several may have the same number: a large page comes in parts that end between paragraphs. */
  pages: ParsedPage[];
  title?: string;
  subType: SubType;
  mediaType: string;
  /** What was lost, once for each page or name. */
  warnings: FileWarning[];
}

export interface FileWarning extends WarningPlace {
  code: WarningCode;
}

/**
 * Reads a whole file as Markdown. `parse` gives the same page by page.
 *
 * @param file a path, or the file's bytes
 * @throws FileError when the file gives no text, or more than `maxCharacters`; the reason of `signal` when it fires; the
 *   error of the file system when the path cannot be read
 */
export async function fileToMarkdown(
  file: string | Uint8Array,
  { fileName, mediaType, maxCharacters, comments, signal }: FileToMarkdownOptions = {},
): Promise<MarkdownFile> {
  const isPath = typeof file === 'string';
  const warnings: FileWarning[] = [];
  const name = fileName ?? (isPath ? path.basename(file) : undefined);
  const parsed = await parse({
    source: isPath ? await sourceFromFile(file) : sourceFromBuffer(file),
    ...(name !== undefined && { fileName: name }),
    ...(mediaType !== undefined && { mediaType }),
    ...(comments !== undefined && { comments }),
    ...(signal && { signal }),
    textBudget: new TextBudget(maxCharacters),
    warn: (code, where) => warnings.push({ code, ...where }),
  });
  const pages: ParsedPage[] = [];
  for await (const page of parsed.pages) pages.push(page);
  const markdown = pages.map((page) => page.markdown).join('\n\n');
  return { ...parsed, markdown, pages, warnings };
}
