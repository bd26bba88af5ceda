import { assertNotEncrypted } from './epub/encryption.js';
import { readPackage, type SpineItem } from './epub/read-package.js';
import { xhtmlToMarkdown } from './epub/xhtml.js';
import type { ParsedPage, ParseInput, ParserResult } from './types.js';
import { openZipParts, type ZipParts } from './zip-parts.js';

/** E-books: each part of the reading order a page, without the table of contents. */
export async function parseEpub(input: ParseInput): Promise<ParserResult> {
  const parts = await openZipParts(await input.source.readAll());
  const { title, spine } = await readPackage(parts);
  await assertNotEncrypted(
    parts,
    spine.map(({ path }) => path),
  );
  return { pages: readSpine(parts, spine, input), ...(title && { title }) };
}

async function* readSpine(
  parts: ZipParts,
  spine: SpineItem[],
  { signal, onProgress }: ParseInput,
): AsyncGenerator<ParsedPage> {
  for (const [index, { path, isContents }] of spine.entries()) {
    signal?.throwIfAborted();
    const text = isContents ? undefined : await parts.text(path);
    const markdown = text ? xhtmlToMarkdown(text) : '';
    if (markdown) yield { number: index + 1, markdown };
    onProgress?.((index + 1) / spine.length);
  }
}
