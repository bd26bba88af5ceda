import { extractAlignedTables } from './aligned-tables.js';
import type { Fragment } from './fragments.js';
import type { JoinLines } from './join-lines.js';
import { toLines } from './lines.js';
import { type Paragraph, toParagraphs } from './paragraphs.js';
import type { Layer } from './read-page.js';
import { type PlacedBox, splitRegions } from './reading-order.js';
import { extractRuledTables } from './ruled-tables.js';
import type { Table } from './table.js';

export interface TextBlock {
  paragraph: Paragraph;
  /** Which column or part of the page. */
  region: number;
  /** Written in another direction than most of the page. */
  isAside: boolean;
}

export type Block = TextBlock | { table: Table };

type Item = PlacedBox & { fragment?: Fragment; table?: Table };

/** A page's paragraphs and tables in reading order. */
export function toBlocks(layers: readonly Layer[], join: JoinLines): Block[] {
  let region = 0;
  return layers.flatMap((layer, index) => {
    const ruled = extractRuledTables(layer.fragments, layer.rulingLines, join);
    const aligned = extractAlignedTables(ruled.rest, layer.rulingLines, join);
    const items: Item[] = [
      ...aligned.rest.map((fragment) => ({
        ...placeOf(fragment, fragment.size, fragment.text.length),
        fragment,
      })),
      ...[...ruled.tables, ...aligned.tables].map((table) => ({ ...placeOf(table, 0, 0), table })),
    ];
    return splitRegions(isRightToLeft(layer) ? items.map(mirrored) : items).flatMap((part) =>
      blocksOf(part, { region: region++, isAside: index > 0 }),
    );
  });
}

/** Columns are read from the right then, which is from the left in a mirror. */
function isRightToLeft({ fragments }: Layer): boolean {
  const length = (some: readonly Fragment[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  return length(fragments.filter(({ rtl }) => rtl)) * 2 > length(fragments);
}

const mirrored = (item: Item): Item => ({ ...item, left: -item.right, right: -item.left });

function placeOf(
  { left, right, top, bottom, order }: Omit<PlacedBox, 'size' | 'length'>,
  size: number,
  length: number,
) {
  return { left, right, top, bottom, order, size, length };
}

/** Tables stand between the lines above and below them. */
function blocksOf(items: readonly Item[], place: Omit<TextBlock, 'paragraph'>): Block[] {
  const blocks: Block[] = [];
  let rest = items.flatMap(({ fragment }) => fragment ?? []);
  const write = (fragments: readonly Fragment[]) => {
    for (const paragraph of toParagraphs(toLines(fragments))) blocks.push({ paragraph, ...place });
  };
  const tables = items.flatMap(({ table }) => table ?? []).sort((a, b) => b.top - a.top);
  for (const table of tables) {
    const isAbove = ({ baseline }: Fragment) => baseline > (table.top + table.bottom) / 2;
    write(rest.filter(isAbove));
    rest = rest.filter((fragment) => !isAbove(fragment));
    blocks.push({ table });
  }
  write(rest);
  return blocks;
}
