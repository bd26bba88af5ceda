import { childElements, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { OdtReader } from './odt-reader.js';

/** A list as one block; headings, which some programs number by a list, and tables in it are blocks of their own. */
export function readList(list: XmlElement, reader: OdtReader): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  const close = () => {
    blocks.push(lines.join('\n'));
    lines = [];
  };
  for (const entry of entriesOf(list, reader, list.attributes['style-name'], 1)) {
    if ('line' in entry) {
      lines.push(entry.line);
      continue;
    }
    close();
    blocks.push(...entry.blocks);
  }
  close();
  return blocks.filter(Boolean);
}

type Entry = { line: string } | { blocks: string[] };

function* entriesOf(
  list: XmlElement,
  reader: OdtReader,
  style: string | undefined,
  level: number,
): Generator<Entry> {
  const isNumbered = reader.styles.isNumbered(style, level);
  let number = 0;
  for (const item of childElements(list)) {
    const bullet = isNumbered ? `${++number}. ` : '- ';
    let lead = item.name === 'list-header' ? '' : bullet;
    for (const child of childElements(item)) {
      if (child.name === 'list') {
        yield* entriesOf(child, reader, child.attributes['style-name'] ?? style, level + 1);
      } else if (child.name === 'p') {
        for (const text of reader.paragraph(child)) {
          yield { line: '  '.repeat(level - 1) + lead + text.replace(/\s+/g, ' ') };
          lead = ' '.repeat(bullet.length);
        }
      } else {
        yield { blocks: reader.blocks({ ...item, children: [child] }) };
      }
    }
  }
}
