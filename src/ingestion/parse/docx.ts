import mammoth from 'mammoth';
import { headingStyleMappings } from './docx/heading-styles.js';
import { markPageBreaks } from './docx/mark-page-breaks.js';
import { replaceUnsupportedTags } from './docx/replace-unsupported-tags.js';
import { htmlToMarkdown } from './html/to-markdown.js';
import { readRelationships } from './office-relationships.js';
import { toPagedDocument } from './page-breaks.js';
import { corruptFileError } from './parse-error.js';
import type { ParseInput, ParserResult } from './types.js';
import { openZipParts, requirePart, type ZipParts } from './zip-parts.js';

/** Word documents: headings, paragraphs, lists, tables and notes; pages as far as the file records where they end. */
export async function parseDocx({ source, signal }: ParseInput): Promise<ParserResult> {
  const parts = await openZipParts(await source.readAll());
  signal?.throwIfAborted();
  return toPagedDocument(htmlToMarkdown(await toHtml(parts), { nested: true }));
}

async function toHtml(parts: ZipParts): Promise<string> {
  try {
    const [main] = (await readRelationships(parts, '')).filter(({ type }) => type === 'officeDocument');
    const path = main?.path ?? 'word/document.xml';
    const styleMap = headingStyleMappings(await parts.xml('word/styles.xml').catch(() => undefined));
    const withoutImages = mammoth.images.imgElement(async () => ({ src: '' }));
    const { value } = await mammoth.convertToHtml(asMammothFile(parts, path), {
      styleMap,
      convertImage: withoutImages,
      includeEmbeddedStyleMap: false,
    });
    return withoutBackLinks(value);
  } catch (error) {
    throw corruptFileError('Word document', error);
  }
}

/** What mammoth would make of a buffer, with page breaks marked on the way; it passes over most of them itself. */
function asMammothFile(parts: ZipParts, documentPath: string): { buffer: Buffer } {
  const file = {
    exists: (name: string) => parts.has(name),
    async read(name: string, encoding?: string) {
      const text = encoding ? requirePart(await parts.text(name), 'Word document') : '';
      return name === documentPath ? markPageBreaks(replaceUnsupportedTags(text)) : text;
    },
  };
  return { file } as unknown as { buffer: Buffer };
}

/** Arrows behind notes lead back to their place in a page that nobody sees here. */
function withoutBackLinks(html: string): string {
  return html.replace(/ ?<a href="#(?:foot|end)note-ref-[\w-]*">↑<\/a>/g, '');
}
