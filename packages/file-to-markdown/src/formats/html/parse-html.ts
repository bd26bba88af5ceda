import { corruptFileError, ParseError } from '../../errors.js';
import { PictureMarks } from '../../shared/pictures/picture-marks.js';
import { PicturesInText, toReadable } from '../../shared/pictures/pictures-in-text.js';
import type { ParseInput, ParserResult } from '../../types.js';
import { firstHeading, readText, singlePage } from '../text/parse-text.js';
import { removeRedundantAltText } from './alt-text.js';
import { isArticlePage } from './article-page.js';
import { removeBoilerplate, textLength } from './boilerplate.js';
import { dataUrlPicture } from './data-url.js';
import { type DomDocument, parseDom } from './dom.js';
import { removeInvisible } from './invisible.js';
import { sectionsLeftOut, sentencesOf } from './left-out.js';
import { findMainContent } from './main-content.js';
import { markPictures } from './mark-pictures.js';
import { siteOf } from './site.js';
import { extractTitles, type Titles } from './titles.js';
import { bodyToMarkdown, htmlToMarkdown, prepareDocument } from './to-markdown.js';

export const MAX_CHARACTERS = 32 * 2 ** 20;
const MIN_REST = 0.1;

/** Web pages: the main content where one can be told from menus and the like, else the whole body. */
export async function parseHtml(input: ParseInput): Promise<ParserResult> {
  const text = await readText(input);
  if (text.length > MAX_CHARACTERS) {
    throw new ParseError(
      'too_large',
      'The page is larger than 32 million characters; split it into smaller ones.',
    );
  }
  const inText = PicturesInText.wantedBy(input);
  const marks = inText && new PictureMarks(inText);
  const loaded = await load(text, marks);
  const { title, heading, isArticle, site } = loaded;
  let { document } = loaded;
  const length = textLength(document.body);
  const sentences = input.warn ? sentencesOf(document) : [];
  removeBoilerplate(document, isArticle);
  // A page of nothing but what surrounds others is no less a page.
  if (textLength(document.body) < length * MIN_REST) document = (await load(text, marks)).document;
  prepareDocument(document);
  const article = findMainContent(document, {
    isArticle,
    ...(heading && { heading }),
    ...(site && { site }),
  });
  const markdown = article ? htmlToMarkdown(article.html) : bodyToMarkdown(document);
  for (const name of sectionsLeftOut(sentences, markdown)) input.warn?.('sections_left_out', { name });
  const whole = withHeading(markdown, heading ?? title, article?.byline);
  return singlePage((await marks?.resolve(whole, 1)) ?? whole, title);
}

async function load(
  text: string,
  marks: PictureMarks | undefined,
): Promise<{ document: DomDocument; isArticle: boolean; site?: string } & Titles> {
  const document = parse(text);
  const titles = extractTitles(document);
  const isArticle = isArticlePage(document);
  const site = siteOf(document);
  removeInvisible(document);
  if (marks) await markDataUrls(document, marks);
  removeRedundantAltText(document);
  return { document, isArticle, ...(site && { site }), ...titles };
}

async function markDataUrls(document: DomDocument, marks: PictureMarks): Promise<void> {
  marks.clear();
  await markPictures(document, async (source) => {
    const picture = await toReadable(dataUrlPicture(source));
    return picture ? marks.add(picture) : '';
  });
}

function parse(text: string): DomDocument {
  try {
    return parseDom(text);
  } catch (error) {
    throw error instanceof ParseError ? error : corruptFileError('web page', error);
  }
}

/**
 * The search for an article takes off the page's heading and its author, or puts the heading a level down; other
 * pages may have none.
 */
function withHeading(markdown: string, heading: string | undefined, byline: string | undefined): string {
  const hasByline = !byline || markdown.slice(0, 1000).includes(byline);
  const below = heading
    ? markdown.replace(/^(?:## )?([^\n]*)\n+/, (line, text) => (text === heading ? '' : line))
    : markdown;
  const top = heading && !firstHeading(below) ? `# ${heading}` : '';
  return [top, hasByline ? '' : byline, below.trim()].filter(Boolean).join('\n\n');
}
