import { normalizeGlyphText } from '../../shared/text/normalize-text.js';
import { createHeadingClassifier, SizeStatistics } from './headings.js';
import { Vocabulary } from './hyphenation.js';
import { createLineJoiner, type JoinLines } from './join-lines.js';
import { joinAcrossColumns, joinAcrossPages } from './join-split-paragraphs.js';
import { continuesTitle } from './looks-like-title.js';
import { type Block, type TextBlock, toBlocks } from './page-blocks.js';
import { isListItem, isTocEntry, type Paragraph, paragraphText } from './paragraphs.js';
import type { Layer } from './read-page.js';
import { removeRunningHeaders } from './running-headers.js';

/** Would be taken for a heading, a table or code. */
const MARKUP = /^(?=#{1,6}\s|\||```|~~~)/gm;

/** What a program has and an address or a sample of type has not. */
const PROGRAM = /[{}();=<>[\]$#]/;

interface Style {
  levelOf: ReturnType<typeof createHeadingClassifier>;
  /** Whether a monospaced font means code. */
  hasCode: boolean;
}

export interface RenderedPage {
  markdown: string;
  hasTable: boolean;
}

/**
 * Pages of text at its place to pages of Markdown, one after another.
 *
 * @param standsAlone whether a page may be replaced, so that no part of a word may move to it or from it
 */
export function* renderPages(
  pages: readonly Layer[][],
  standsAlone: (index: number, hasTable: boolean) => boolean = () => false,
): Generator<RenderedPage> {
  removeRunningHeaders(pages);
  const { statistics, vocabulary } = survey(pages);
  const style: Style = { levelOf: createHeadingClassifier(statistics), hasCode: statistics.monoStandsOut() };
  const join = createLineJoiner(vocabulary);
  let blocks = blocksOf(pages[0], join);
  for (const index of pages.keys()) {
    const next = blocksOf(pages[index + 1], join);
    const hasTable = blocks.some(isTable);
    const isApart = standsAlone(index, hasTable) || standsAlone(index + 1, next.some(isTable));
    if (!isApart) joinAcrossPages(blocks, next, join);
    yield { markdown: render(blocks, style, join), hasTable };
    blocks = next;
  }
}

const isTable = (block: Block): boolean => 'table' in block;

function blocksOf(layers: readonly Layer[] | undefined, join: JoinLines): Block[] {
  return joinAcrossColumns(toBlocks(layers ?? [], join));
}

function survey(pages: readonly Layer[][]) {
  const statistics = new SizeStatistics();
  const vocabulary = new Vocabulary();
  for (const [main] of pages) {
    for (const fragment of main?.fragments ?? []) {
      statistics.add(fragment);
      vocabulary.add(fragment.text);
    }
  }
  return { statistics, vocabulary };
}

function render(blocks: readonly Block[], style: Style, join: JoinLines): string {
  let markdown = '';
  let last: TextBlock | undefined;
  let heading: string | undefined;
  for (const block of blocks) {
    if ('table' in block) {
      heading = undefined;
      markdown += `\n\n${block.table.markdown}`;
      last = undefined;
      continue;
    }
    const text = renderText(block, style, join);
    if (last && isCode(last, style) && isCode(block, style))
      markdown = `${markdown.slice(0, -3)}\n${text.slice(4)}`;
    else if (heading && continuesTitle(markdown) && text.startsWith(heading))
      markdown += ` ${text.slice(heading.length)}`;
    else markdown += (last && isOneList(last.paragraph, block.paragraph) ? '\n' : '\n\n') + text;
    heading = /^#+ /.exec(text)?.[0];
    last = heading ? undefined : block;
  }
  return markdown.trim();
}

function renderText(block: TextBlock, style: Style, join: JoinLines): string {
  const { paragraph, isAside } = block;
  if (isCode(block, style)) return renderCode(paragraph);
  const text = paragraphText(paragraph, join).split('\n').map(normalizeGlyphText).join('\n');
  const level = isAside ? 0 : style.levelOf(paragraph, text);
  return level > 0 ? `${'#'.repeat(level)} ${text.replaceAll('\n', ' ')}` : text.replace(MARKUP, '\\');
}

/** Lines as they stand, set in by the width of the font's characters. */
function renderCode(paragraph: Paragraph): string {
  const left = Math.min(...paragraph.map((line) => line.left));
  const lines = paragraph.map((line) => {
    const width = (line.right - line.left) / Math.max(1, line.text.length) || line.size;
    return ' '.repeat(Math.min(80, Math.round((line.left - left) / width))) + normalizeGlyphText(line.text);
  });
  return ['```', ...lines, '```'].join('\n');
}

function isCode({ paragraph }: TextBlock, { hasCode }: Style): boolean {
  const isMono = hasCode && paragraph.length > 1 && paragraph.every(({ mono }) => mono);
  return isMono && paragraph.some(({ text }) => PROGRAM.test(text));
}

function isOneList(last: Paragraph, next: Paragraph): boolean {
  return (isListItem(last) && isListItem(next)) || (isTocEntry(last) && isTocEntry(next));
}
