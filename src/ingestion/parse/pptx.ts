import { findSlides } from './pptx/find-slides.js';
import { readSlide, type Slide } from './pptx/read-slide.js';
import type { ParsedPage, ParseInput, ParserResult } from './types.js';
import { elementAt, textContent } from './xml-tree.js';
import { openZipParts, type ZipParts } from './zip-parts.js';

/** PowerPoint presentations: each slide that is shown a page, by its number, with its notes. */
export async function parsePptx(input: ParseInput): Promise<ParserResult> {
  const parts = await openZipParts(await input.source.readAll());
  const paths = await findSlides(parts);
  const first = paths[0] ? await readSlide(parts, paths[0]) : undefined;
  const title = first?.title ?? (await documentTitle(parts));
  return { pages: readSlides(parts, paths, input), ...(title && { title }) };
}

async function* readSlides(
  parts: ZipParts,
  paths: string[],
  { signal, onProgress }: ParseInput,
): AsyncGenerator<ParsedPage> {
  for (const [index, path] of paths.entries()) {
    signal?.throwIfAborted();
    const slide = await readSlide(parts, path);
    if (slide && !slide.isHidden) yield { number: index + 1, markdown: toMarkdown(slide) };
    onProgress?.((index + 1) / paths.length);
  }
}

function toMarkdown({ title, blocks, notes }: Slide): string {
  const heading = title ? [`# ${title}`] : [];
  return [...heading, ...blocks, ...(notes.length > 0 ? ['Notes:', ...notes] : [])].join('\n\n');
}

/** Only what somebody wrote there: the program's default says no more than its own name. */
async function documentTitle(parts: ZipParts): Promise<string | undefined> {
  const properties = await parts.xml('docProps/core.xml').catch(() => undefined);
  const title = textContent(elementAt(properties, 'title')).trim();
  return title && !/PowerPoint/i.test(title) ? title : undefined;
}
