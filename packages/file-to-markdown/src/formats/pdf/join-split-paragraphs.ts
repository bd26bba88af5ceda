import { endsHyphenated } from './hyphenation.js';
import type { JoinLines } from './join-lines.js';
import type { Line } from './lines.js';
import type { Block, TextBlock } from './page-blocks.js';

/** Footnotes and captions between two parts of one text. */
const MAX_BETWEEN = 6;
const SMALLER = 0.95;
const MIN_WIDTH = 10;
const OPEN_END = /[\p{L}\p{N},;–—\u00ad-]$/u;
const RUN_ON_START = /^[\p{Ll}\p{Script=Han}]/u;

/** Joins a paragraph that runs on in the next column with its rest; footnotes in between come after it. */
export function joinAcrossColumns(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  const joined = new Set<Block>();
  for (const [index, block] of blocks.entries()) {
    if (joined.has(block)) continue;
    const rest =
      'table' in block ? undefined : restOf(block, blocks.slice(index + 1, index + 2 + MAX_BETWEEN));
    if (rest && 'paragraph' in block) {
      joined.add(rest);
      result.push({ ...block, paragraph: [...block.paragraph, ...rest.paragraph] });
    } else result.push(block);
  }
  return result;
}

function restOf(block: TextBlock, following: readonly Block[]): TextBlock | undefined {
  const last = block.paragraph.at(-1);
  const isNote = (other: Block) =>
    last !== undefined && isSmaller(other, last) && 'region' in other && other.region === block.region;
  const next = following.find((other) => !isNote(other));
  if (!last || !next || 'table' in next || next.region === block.region) return undefined;
  return runsOn(last, next.paragraph[0]) ? next : undefined;
}

/** Brings the rest of a word that a page's end divides back to that page. */
export function joinAcrossPages(blocks: readonly Block[], next: readonly Block[], join: JoinLines): void {
  const [following] = next;
  const lines = blocks.flatMap(
    (block) => ('paragraph' in block && !block.isAside ? block.paragraph.at(-1) : []) ?? [],
  );
  const body = Math.max(0, ...lines.slice(-MAX_BETWEEN).map(({ size }) => size));
  const last = lines.findLast(({ size }) => size >= SMALLER * body);
  if (!last || !following || 'table' in following || !endsHyphenated(last.text)) return;
  const [first] = following.paragraph;
  if (!first || !runsOn(last, first)) return;
  const [rest = ''] = /^\S+\s*/.exec(first.text) ?? [];
  last.text = join(last.text, rest);
  first.text = first.text.slice(rest.length);
}

function runsOn(last: Line, first: Line | undefined): boolean {
  if (!first || !OPEN_END.test(last.text) || last.right - last.left < MIN_WIDTH * last.size) return false;
  const isSame = Math.abs(first.size - last.size) < 0.05 * last.size && first.bold === last.bold;
  return isSame && RUN_ON_START.test(first.text);
}

function isSmaller(block: Block, line: Line): boolean {
  return 'paragraph' in block && (block.paragraph[0]?.size ?? 0) < SMALLER * line.size;
}
