import { PictureMarks } from '../../shared/pictures/picture-marks.js';
import { PicturesInText } from '../../shared/pictures/pictures-in-text.js';
import { toPagedDocument } from '../../shared/text/page-breaks.js';
import { isCommentsPart } from '../../shared/zip/is-comments-part.js';
import { openZipParts } from '../../shared/zip/zip-parts.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { DocumentParts } from './package.js';
import { readDocument } from './read-document.js';

/** Word documents: headings, paragraphs, lists, tables and notes; pages as far as the file records where they end. */
export async function parseDocx(input: ParseInput): Promise<ParserResult> {
  const inText = PicturesInText.wantedBy(input);
  const marks = inText && new PictureMarks(inText);
  const parts = await openZipParts(await input.source.readAll(), { allowDamage: isCommentsPart });
  input.signal?.throwIfAborted();
  const markdown = await readDocument(await DocumentParts.open(parts, input), input, marks);
  const document = toPagedDocument(markdown);
  return marks ? { ...document, pages: withPictures(document.pages, marks) } : document;
}

async function* withPictures(pages: readonly ParsedPage[], marks: PictureMarks): AsyncGenerator<ParsedPage> {
  for (const page of pages) yield { ...page, markdown: await marks.resolve(page.markdown, page.number) };
}
