import type { Block } from './page-blocks.js';

/** Footnotes and captions between two columns of one text. */
const MAX_BETWEEN = 6;
const SMALLER = 0.95;
const OPEN_END = /[\p{L}\p{N},;–—\u00ad-]$/u;
const RUN_ON_START = /^[\p{Ll}\p{Script=Han}]/u;

/** Joins a paragraph that runs on in the next column with its rest; footnotes in between come after it. */
export function runOn(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  const joined = new Set<Block>();
  for (const [index, block] of blocks.entries()) {
    if (joined.has(block)) continue;
    const next =
      'paragraph' in block ? restOf(block, blocks.slice(index + 1, index + 2 + MAX_BETWEEN)) : undefined;
    if (next && 'paragraph' in block) {
      joined.add(next);
      result.push({ ...block, paragraph: [...block.paragraph, ...next.paragraph] });
    } else result.push(block);
  }
  return result;
}

type TextBlock = Extract<Block, { paragraph: unknown }>;

function restOf(block: TextBlock, following: readonly Block[]): TextBlock | undefined {
  const last = block.paragraph.at(-1);
  if (!last || !OPEN_END.test(last.text) || last.right - last.left < 10 * last.size) return undefined;
  const isSmaller = (other: Block) =>
    'paragraph' in other && (other.paragraph[0]?.size ?? 0) < SMALLER * last.size;
  const next = following.find(
    (other) => !(isSmaller(other) && 'region' in other && other.region === block.region),
  );
  if (!next || !('paragraph' in next) || next.region === block.region) return undefined;
  const first = next.paragraph[0];
  const isSame = first && Math.abs(first.size - last.size) < 0.05 * last.size && first.bold === last.bold;
  return isSame && RUN_ON_START.test(first.text) ? next : undefined;
}
