import { childElements, descendants, elementAt, type XmlElement } from '../xml/xml-tree.js';
import { paragraphText } from './paragraph-text.js';

const MAX_LEVEL = 8;

/** The texts of a SmartArt drawing (ECMA-376 21.4) as a list, nested as they are connected. */
export function diagramToMarkdown(root: XmlElement): string[] {
  const list = elementAt(root, 'ptLst');
  const texts = new Map<string, string>();
  const roots: string[] = [];
  for (const { attributes, ...point } of list ? childElements(list, 'pt') : []) {
    const id = attributes.modelId ?? `${texts.size}`;
    texts.set(id, pointText({ attributes, ...point }));
    if (attributes.type === 'doc') roots.push(id);
  }
  const children = connectionsOf(root);
  const items: string[] = [];
  // What is connected with nothing follows.
  const open = [...roots, ...texts.keys()].reverse().map((id) => ({ id, level: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const text = texts.get(next.id);
    if (text === undefined) continue;
    texts.delete(next.id);
    if (text) items.push(`${'  '.repeat(Math.min(next.level, MAX_LEVEL))}- ${text}`);
    const level = text ? next.level + 1 : next.level;
    for (const id of [...(children.get(next.id) ?? [])].reverse()) open.push({ id, level });
  }
  return items.length > 0 ? [items.join('\n')] : [];
}

function pointText(point: XmlElement): string {
  const paragraphs = [...descendants(point, 'p')].map(paragraphText);
  return paragraphs.filter(Boolean).join(' ').replace(/\s+/g, ' ');
}

/** Ids of the points below each point. Other connections say how they are drawn. */
function connectionsOf(root: XmlElement): Map<string, string[]> {
  const list = elementAt(root, 'cxnLst');
  const connections = (list ? childElements(list, 'cxn') : [])
    .map(({ attributes }) => attributes)
    .filter(({ type = 'parOf' }) => type === 'parOf')
    .sort((a, b) => Number(a.srcOrd ?? 0) - Number(b.srcOrd ?? 0));
  const children = new Map<string, string[]>();
  for (const { srcId = '', destId = '' } of connections) {
    const known = children.get(srcId);
    if (known) known.push(destId);
    else children.set(srcId, [destId]);
  }
  return children;
}
