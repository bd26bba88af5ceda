import { corruptFileError } from '../../errors.js';
import { openZipParts } from '../../shared/zip/zip-parts.js';
import type { ParsedPage, ParseInput, ParserResult } from '../../types.js';
import { Deck } from './deck.js';
import { documentTitle } from './document-title.js';
import { findSlides } from './find-slides.js';
import { readSlide, type Slide, slideTitle } from './read-slide.js';

/** PowerPoint presentations: each slide that is shown a page, by its number, with its notes. */
export async function parsePptx(input: ParseInput): Promise<ParserResult> {
  const parts = await openZipParts(await input.source.readAll(), { allowDamage: () => true });
  const paths = await findSlides(parts);
  const first = paths[0] && (await parts.xml(paths[0]).catch(() => undefined));
  const title = (first && slideTitle(first)) || (await documentTitle(parts));
  return { pages: readSlides(new Deck(parts, input), paths, input), ...(title && { title }) };
}

async function* readSlides(
  deck: Deck,
  paths: string[],
  { signal, onProgress }: ParseInput,
): AsyncGenerator<ParsedPage> {
  let read = 0;
  for (const [index, path] of paths.entries()) {
    signal?.throwIfAborted();
    const slide = await readSlide(deck, path);
    if (slide) read++;
    if (slide && !slide.isHidden) {
      const markdown = toMarkdown(slide);
      if (!markdown && slide.hasPictures) deck.reportPageWithoutText(index + 1);
      yield { number: index + 1, markdown };
    }
    onProgress?.((index + 1) / paths.length);
  }
  if (read === 0 && paths.length > 0) throw deck.failure ?? corruptFileError('presentation');
}

function toMarkdown({ title, blocks, notes }: Slide): string {
  const heading = title ? [`# ${title}`] : [];
  return [...heading, ...blocks, ...(notes.length > 0 ? ['Notes:', ...notes] : [])].join('\n\n');
}
