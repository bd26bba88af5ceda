import mammoth from 'mammoth';
import { htmlToMarkdown } from './html/to-markdown.js';
import { corrupt } from './parse-error.js';
import { firstHeading, onePage } from './text.js';
import type { Parsed, ParseInput } from './types.js';
import { preflightZip } from './zip-preflight.js';

/** Built-in styles that mammoth leaves as paragraphs. */
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

/** Word documents: paragraphs, headings, lists and tables in reading order, as one page. */
export async function parseDocx({ source, signal }: ParseInput): Promise<Parsed> {
  const bytes = await source.whole();
  await preflightZip(bytes);
  signal?.throwIfAborted();
  const markdown = htmlToMarkdown(await toHtml(bytes));
  return onePage(markdown, firstHeading(markdown));
}

async function toHtml(buffer: Buffer): Promise<string> {
  try {
    const withoutImages = mammoth.images.imgElement(async () => ({ src: '' }));
    const { value } = await mammoth.convertToHtml(
      { buffer },
      { styleMap: STYLES, convertImage: withoutImages },
    );
    return value;
  } catch (error) {
    throw corrupt('Word document', error);
  }
}
