import { foldGlyphText } from '../../normalize.js';
import { headingLevels, SizeStatistics } from './headings.js';
import { Vocabulary } from './hyphenation.js';
import { type JoinLines, lineJoiner } from './join-lines.js';
import { type Block, toBlocks } from './page-blocks.js';
import { isLeader, isListItem, type Paragraph, paragraphText } from './paragraphs.js';
import type { Layer } from './read-page.js';
import { runOn } from './run-on.js';
import { dropRunningTitles } from './running-titles.js';

/** Would be taken for a heading, a table or code. */
const MARKUP = /^(?=#{1,6}\s|\||```|~~~)/gm;

/** Pages of text at its place to pages of Markdown, one after another. */
export function* pagesToMarkdown(pages: readonly Layer[][]): Generator<string> {
  dropRunningTitles(pages);
  const { statistics, vocabulary } = survey(pages);
  const levelOf = headingLevels(statistics);
  const join = lineJoiner(vocabulary);
  for (const layers of pages) {
    yield render(runOn(toBlocks(layers, join)), levelOf, join);
  }
}

function survey(pages: readonly Layer[][]) {
  const statistics = new SizeStatistics();
  const vocabulary = new Vocabulary();
  for (const fragment of pages.flatMap((layers) => layers.flatMap(({ fragments }) => fragments))) {
    statistics.add(fragment);
    vocabulary.add(fragment.text);
  }
  return { statistics, vocabulary };
}

function render(
  blocks: readonly Block[],
  levelOf: ReturnType<typeof headingLevels>,
  join: JoinLines,
): string {
  let markdown = '';
  let last: Paragraph | undefined;
  for (const block of blocks) {
    if ('table' in block) {
      markdown += `\n\n${block.table.markdown}`;
      last = undefined;
      continue;
    }
    const { paragraph } = block;
    const isInList =
      last && ((isListItem(last) && isListItem(paragraph)) || (isLeader(last) && isLeader(paragraph)));
    const text = renderParagraph(paragraph, levelOf, join);
    markdown += (isInList ? '\n' : '\n\n') + text;
    last = /^#+ /.test(text) ? undefined : paragraph;
  }
  return markdown.trim();
}

function renderParagraph(
  paragraph: Paragraph,
  levelOf: ReturnType<typeof headingLevels>,
  join: JoinLines,
): string {
  const text = paragraphText(paragraph, join).split('\n').map(foldGlyphText).join('\n');
  const level = levelOf(paragraph, text);
  return level > 0 ? `${'#'.repeat(level)} ${text.replaceAll('\n', ' ')}` : text.replace(MARKUP, '\\');
}
