import { corruptFileError } from '../../errors.js';
import { openZipParts } from '../../shared/zip/zip-parts.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { CommentReader } from './comments.js';
import { Deck } from './deck.js';
import { documentTitle } from './document-title.js';
import { findSlides } from './find-slides.js';
import { readSlide, type Slide, slideTitle } from './read-slide.js';

/** Stands behind the title of a slide that a show skips, or in its place. */
const HIDDEN = '(hidden slide)';

/** PowerPoint presentations: each slide a page, by its number, with its notes and comments. */
export async function parsePptx(input: ParseInput): Promise<ParserResult> {
  const parts = await openZipParts(await input.source.readAll(), { allowDamage: () => true });
  const { slides: paths, related } = await findSlides(parts);
  const first = paths[0] && (await parts.xml(paths[0]).catch(() => undefined));
  const title = (first && slideTitle(first)) || (await documentTitle(parts));
  const deck = new Deck(parts, input);
  const comments = input.comments === false ? undefined : new CommentReader(deck, related);
  return { pages: readSlides({ deck, comments }, paths, input), ...(title && { title }) };
}

async function* readSlides(
  { deck, comments }: { deck: Deck; comments: CommentReader | undefined },
  paths: string[],
  { signal, onProgress }: ParseInput,
): AsyncGenerator<ParsedPage> {
  let read = 0;
  for (const [index, path] of paths.entries()) {
    signal?.throwIfAborted();
    const slide = await readSlide(deck, path, index + 1, comments);
    if (slide) read++;
    if (slide) {
      const markdown = toMarkdown(slide);
      if (!markdown && slide.hasPictures) deck.reportPageWithoutText(index + 1);
      yield { number: index + 1, markdown };
    }
    onProgress?.((index + 1) / paths.length);
  }
  if (read === 0 && paths.length > 0) throw deck.failure ?? corruptFileError('presentation');
}

function toMarkdown({ title, blocks, notes, comments, isHidden }: Slide): string {
  const heading = title ? [`# ${title}${isHidden ? ` ${HIDDEN}` : ''}`] : [];
  const rest = [...blocks, ...(notes.length > 0 ? ['Notes:', ...notes] : []), ...comments];
  const mark = isHidden && !title && rest.length > 0 ? [HIDDEN] : [];
  return [...heading, ...mark, ...rest].join('\n\n');
}
