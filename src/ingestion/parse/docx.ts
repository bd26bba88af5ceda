import mammoth from 'mammoth';
import { headingStyles } from './docx/heading-styles.js';
import { markPageBreaks } from './docx/mark-page-breaks.js';
import { withKnownTags } from './docx/with-known-tags.js';
import { htmlToMarkdown } from './html/to-markdown.js';
import { relationsOf } from './office-relations.js';
import { pagedDocument } from './page-breaks.js';
import { corrupt } from './parse-error.js';
import type { Parsed, ParseInput } from './types.js';
import { openZipParts, required, type ZipParts } from './zip-parts.js';

/** Word documents: headings, paragraphs, lists, tables and notes; pages as far as the file records where they end. */
export async function parseDocx({ source, signal }: ParseInput): Promise<Parsed> {
  const parts = await openZipParts(await source.whole());
  signal?.throwIfAborted();
  return pagedDocument(htmlToMarkdown(await toHtml(parts), { nested: true }));
}

async function toHtml(parts: ZipParts): Promise<string> {
  try {
    const [main] = (await relationsOf(parts, '')).filter(({ type }) => type === 'officeDocument');
    const path = main?.path ?? 'word/document.xml';
    const styleMap = headingStyles(await parts.xml('word/styles.xml').catch(() => undefined));
    const withoutImages = mammoth.images.imgElement(async () => ({ src: '' }));
    const { value } = await mammoth.convertToHtml(asMammothFile(parts, path), {
      styleMap,
      convertImage: withoutImages,
      includeEmbeddedStyleMap: false,
    });
    return withoutBackLinks(value);
  } catch (error) {
    throw corrupt('Word document', error);
  }
}

/** What mammoth would make of a buffer, with page breaks marked on the way; it passes over most of them itself. */
function asMammothFile(parts: ZipParts, documentPath: string): { buffer: Buffer } {
  const file = {
    exists: (name: string) => parts.has(name),
    async read(name: string, encoding?: string) {
      const text = encoding ? required(await parts.text(name), 'Word document') : '';
      return name === documentPath ? markPageBreaks(withKnownTags(text)) : text;
    },
  };
  return { file } as unknown as { buffer: Buffer };
}

/** Arrows behind notes lead back to their place in a page that nobody sees here. */
function withoutBackLinks(html: string): string {
  return html.replace(/ ?<a href="#(?:foot|end)note-ref-[\w-]*">↑<\/a>/g, '');
}
