import { childElements, textContent, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';

/** Elements of MathML with characters in them. */
const TOKENS = new Set(['mi', 'mn', 'mo', 'mtext', 'ms']);
const TEXT_PARENTS = new Set(['p', 'h', 'span', 'a']);

/** Puts the signs of each formula, which is a file of its own, where its frame stands. */
export async function insertFormulas(content: XmlElement, parts: ZipParts): Promise<void> {
  const read = new Set<string>();
  for (const { frame, parent, part } of formulaFrames(content)) {
    // A document shows each formula once; one that is named again and again would grow without limit.
    if (read.has(part)) continue;
    read.add(part);
    const formula = await parts.xml(part).catch(() => undefined);
    if (formula?.name !== 'math') continue;
    const isInText = TEXT_PARENTS.has(parent.name);
    frame.name = isInText ? 'span' : 'p';
    frame.children = [` ${[...tokens(formula)].join(' ')} `];
  }
}

function* formulaFrames(
  parent: XmlElement,
): Generator<{ frame: XmlElement; parent: XmlElement; part: string }> {
  for (const element of childElements(parent)) {
    const href = element.name === 'frame' ? childElements(element, 'object')[0]?.attributes.href : undefined;
    if (href) yield { frame: element, parent, part: `${href.replace(/^\.\//, '')}/content.xml` };
    else yield* formulaFrames(element);
  }
}

function* tokens(element: XmlElement): Generator<string> {
  for (const child of childElements(element)) {
    if (!TOKENS.has(child.name)) yield* tokens(child);
    else if (textContent(child).trim()) yield textContent(child).trim();
  }
}
