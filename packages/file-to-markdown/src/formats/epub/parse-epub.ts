import { posix } from 'node:path';
import { corruptFileError, ParseError } from '../../errors.js';
import { PictureMarks } from '../../shared/pictures/picture-marks.js';
import { PicturesInText, ZipPictures } from '../../shared/pictures/pictures-in-text.js';
import { openZipParts, requirePart, type ZipParts } from '../../shared/zip/zip-parts.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { assertNotEncrypted } from './encryption.js';
import { findPart } from './find-part.js';
import { readPackage, type SpineItem } from './read-package.js';
import { svgLines } from './svg.js';
import { xhtmlToMarkdown } from './xhtml.js';

/** Leads out of the book. */
const ADDRESS = /^[a-z][a-z\d+.-]*:/i;

/** E-books: each part of the reading order a page, without the table of contents. */
export async function parseEpub(input: ParseInput): Promise<ParserResult> {
  const parts = await openZipParts(await input.source.readAll(), { allowDamage: () => true });
  const { title, spine } = await readPackage(parts);
  await assertNotEncrypted(
    parts,
    spine.map(({ path }) => path),
  );
  return { pages: readSpine(parts, spine, input), ...(title && { title }) };
}

/** What is damaged or missing is reported, and the rest comes out, as long as there is any. */
async function* readSpine(
  parts: ZipParts,
  spine: SpineItem[],
  input: ParseInput,
): AsyncGenerator<ParsedPage> {
  const { signal, onProgress, warn } = input;
  const inText = PicturesInText.wantedBy(input);
  const marks = inText && new PictureMarks(inText);
  const pictures = new ZipPictures(parts);
  const markOf = async (path: string) => {
    const picture = await pictures.of(path);
    return (picture && marks?.add(picture)) ?? '';
  };
  const descriptions = new Set<string>();
  let failure: ParseError | undefined;
  let read = 0;
  for (const [index, item] of spine.entries()) {
    signal?.throwIfAborted();
    try {
      const markdown = await readChapter(parts, item, descriptions, marks && markOf);
      read++;
      const number = index + 1;
      const whole = marks ? await marks.resolve(markdown, number) : markdown;
      if (whole) yield { number, markdown: whole };
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      failure ??= error;
      warn?.('unreadable_parts', { name: item.path });
    }
    onProgress?.((index + 1) / spine.length);
  }
  if (read === 0 && spine.length > 0) throw failure ?? corruptFileError('e-book');
}

async function readChapter(
  parts: ZipParts,
  { path, kind, isContents }: SpineItem,
  descriptions: Set<string>,
  markOfPart: ((path: string) => Promise<string>) | undefined,
): Promise<string> {
  const text = requirePart(await parts.text(path), 'e-book');
  if (kind === 'svg') return svgLines(text).join('\n');
  const markOf =
    markOfPart &&
    (async (source: string) =>
      ADDRESS.test(source) ? '' : markOfPart(findPart(parts, posix.dirname(path), source)));
  return xhtmlToMarkdown(text, { isContents, descriptions, ...(markOf && { markOf }) });
}
