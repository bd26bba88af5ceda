import { childElements, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';

export interface ParagraphStyle {
  /** Level of a heading, from 0. */
  heading?: number;
  list?: ListReference;
  breaksPage: boolean;
}

export interface ListReference {
  id: string | undefined;
  level: number | undefined;
}

/** Undefined where a style leaves it to what is around it. */
export interface RunFormat {
  isBold?: boolean;
  isItalic?: boolean;
  isHidden?: boolean;
}

/** What the styles of a document say about its structure. */
export interface Styles {
  paragraph(id: string | undefined): ParagraphStyle;
  run(id: string | undefined): RunFormat;
  /** The list that a style of lists stands for. */
  listOf(id: string | undefined): string | undefined;
}

/** Longer chains of styles are circles. */
const MAX_PARENTS = 20;
const BODY_LEVEL = 9;
const HEADING_NAME = /^heading ?([1-9])$/i;

/** Reads `styles.xml`; a document without it has the styles that Word knows by itself. */
export function readStyles(root: XmlElement | undefined): Styles {
  const all = new Map<string, XmlElement>();
  for (const style of root ? childElements(root, 'style') : []) {
    const { type = 'paragraph', styleId } = style.attributes;
    if (styleId !== undefined) all.set(`${type} ${styleId}`, style);
  }
  const withParents = (type: string, id: string | undefined) => {
    const chain: XmlElement[] = [];
    let style = all.get(`${type} ${id}`);
    while (style && chain.length < MAX_PARENTS) {
      chain.push(style);
      style = all.get(`${type} ${elementAt(style, 'basedOn')?.attributes.val}`);
    }
    return chain;
  };
  const paragraphs = new Map<string, ParagraphStyle>();
  const runs = new Map<string, RunFormat>();
  return {
    paragraph: (id = '') => remember(paragraphs, id, () => paragraphStyle(id, withParents('paragraph', id))),
    run: (id = '') => remember(runs, id, () => runStyle(withParents('character', id))),
    listOf: (id) => elementAt(all.get(`numbering ${id}`), 'pPr', 'numPr', 'numId')?.attributes.val,
  };
}

/** Bold, italics and hidden text as a run or a style has them. */
export function runFormat(properties: XmlElement | undefined): RunFormat {
  const format: RunFormat = {};
  for (const property of properties ? childElements(properties) : []) {
    if (property.name === 'b') format.isBold = isOn(property);
    else if (property.name === 'i') format.isItalic = isOn(property);
    else if (property.name === 'vanish') format.isHidden = isOn(property);
  }
  return format;
}

export function isOn(property: XmlElement): boolean {
  return !/^(?:0|false|off)$/.test(property.attributes.val ?? '');
}

export function listReference(properties: XmlElement | undefined): ListReference | undefined {
  const reference = elementAt(properties, 'numPr');
  if (!reference) return undefined;
  const level = elementAt(reference, 'ilvl')?.attributes.val;
  return {
    id: elementAt(reference, 'numId')?.attributes.val,
    level: level === undefined ? undefined : Number(level),
  };
}

/** From 0; undefined for body text, and where nothing is said. */
export function outlineLevel(properties: XmlElement | undefined): number | undefined {
  const outline = elementAt(properties, 'outlineLvl')?.attributes.val;
  if (outline === undefined) return undefined;
  return /^[0-8]$/.test(outline) ? Number(outline) : BODY_LEVEL;
}

function paragraphStyle(id: string, chain: XmlElement[]): ParagraphStyle {
  const level = chain.length > 0 ? headingLevel(chain) : levelByName(id);
  const properties = chain.map((style) => elementAt(style, 'pPr'));
  const lists = properties.flatMap((one) => listReference(one) ?? []);
  const breaks = properties.flatMap((one) => elementAt(one, 'pageBreakBefore') ?? []);
  return {
    ...(level !== undefined && level < BODY_LEVEL && { heading: level }),
    ...(lists.length > 0 && {
      list: {
        id: lists.find((list) => list.id !== undefined)?.id,
        level: lists.find((list) => list.level !== undefined)?.level,
      },
    }),
    breaksPage: breaks[0] !== undefined && isOn(breaks[0]),
  };
}

/** Names of styles that are built in are English in every language; others are known by their outline level. */
function headingLevel(chain: XmlElement[]): number | undefined {
  for (const [depth, style] of chain.entries()) {
    const name = elementAt(style, 'name')?.attributes.val ?? '';
    // Pages calls its headings so, and LibreOffice what all of its headings are built on.
    if (depth === 0 && name === 'Heading') return 0;
    const level = levelByName(name) ?? outlineLevel(elementAt(style, 'pPr'));
    if (level !== undefined) return level;
  }
  return undefined;
}

function levelByName(name: string): number | undefined {
  if (/^title$/i.test(name)) return 0;
  if (/^(?:subtitle|caption)$/i.test(name)) return BODY_LEVEL;
  const level = HEADING_NAME.exec(name)?.[1];
  return level === undefined ? undefined : Number(level) - 1;
}

function runStyle(chain: XmlElement[]): RunFormat {
  return Object.assign({}, ...chain.map((style) => runFormat(elementAt(style, 'rPr'))).reverse());
}

function remember<T>(known: Map<string, T>, id: string, read: () => T): T {
  const found = known.get(id) ?? read();
  known.set(id, found);
  return found;
}
