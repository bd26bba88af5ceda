import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ParsedDocument, ParsedPage, ParseInput, SubType } from '@lectern/file-to-markdown';
import { cleanText, ParseError, parse, recognizedText, sourceFromBuffer } from '@lectern/file-to-markdown';
import { type CollectedDocument, PLACEHOLDER } from './collect-pictures.js';
import type { ExtractedText } from './extraction-engine.js';
import { PARSED_FILE, TEXTS_FILE } from './extraction-step.js';

/** A page, of which an engine may have read something. */
export interface ExtractedPage extends ParsedPage {
  extractedBy?: string;
}

type Input = Pick<ParseInput, 'textBudget' | 'warn' | 'signal' | 'onProgress'>;

/**
 * The document whose pictures were collected, with what an engine has read in their places. Its HTML is read as that of any
 * file, and so are its warnings.
 */
export async function insertTexts(
  input: Input,
  { folder, extractedBy }: { folder: string; extractedBy: string },
): Promise<ParsedDocument> {
  const read = async (file: string) => JSON.parse(await readFile(path.join(folder, file), 'utf8'));
  const document: CollectedDocument = await read(PARSED_FILE);
  const texts: Record<string, ExtractedText> = await read(TEXTS_FILE);
  const { subType, mediaType, title } = document;
  for (const warning of document.warnings) input.warn?.(...warning);
  return {
    subType: subType as SubType,
    mediaType,
    ...(title !== undefined && { title }),
    pages: insert(document, texts, input, extractedBy),
  };
}

async function* insert(
  { nonce, pages, keys }: CollectedDocument,
  texts: Record<string, ExtractedText>,
  { textBudget, warn, signal, onProgress }: Input,
  extractedBy: string,
): AsyncGenerator<ExtractedPage> {
  let hasText = false;
  for (const [index, page] of pages.entries()) {
    signal?.throwIfAborted();
    const found = [...page.markdown.matchAll(PLACEHOLDER)].filter(([, of]) => of === nonce);
    let markdown = page.markdown;
    let isExtracted = false;
    for (const [mark, , number] of found) {
      const text = texts[keys[Number(number)] ?? ''];
      const given = text ? await toMarkdown(text) : '';
      textBudget?.spend(given.length);
      if (given === '') warn?.('pages_without_text', { page: page.number });
      isExtracted ||= given !== '';
      // As a function: dollars in the text are no patterns.
      markdown = markdown.replace(mark, () => given);
    }
    hasText ||= /[\p{L}\p{N}]/u.test(markdown);
    yield { ...page, markdown: markdown.trim(), ...(isExtracted && { extractedBy }) };
    onProgress?.((index + 1) / pages.length);
  }
  if (!hasText) throw nothingRead();
}

/** An engine is a stranger: what it says is read like a file of the same type. */
async function toMarkdown({ mediaType, pages }: ExtractedText): Promise<string> {
  const parts: string[] = [];
  for (const page of pages) {
    if (mediaType === 'text/html') parts.push(await fromHtml(page));
    else parts.push(mediaType === 'text/plain' ? recognizedText(page) : cleanText(page));
  }
  return parts.join('\n\n').trim();
}

async function fromHtml(html: string): Promise<string> {
  const parts: string[] = [];
  try {
    const { pages } = await parse({
      source: sourceFromBuffer(Buffer.from(html)),
      mediaType: 'text/html',
      fileName: 'page.html',
    });
    for await (const { markdown } of pages) parts.push(markdown);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
  }
  return parts.join('\n\n');
}

const nothingRead = (): ParseError =>
  new ParseError(
    'scanned',
    'The pages are pictures, in which the extraction engine has found no text; upload a better scan, or a file with text.',
  );
