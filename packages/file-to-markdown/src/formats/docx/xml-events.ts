import { SaxesParser } from 'saxes';
import { tooComplexError } from '../../errors.js';
import { attributeName, localName } from '../../shared/xml/xml-names.js';
import type { XmlElement } from '../../shared/xml/xml-tree.js';

/** Takes the XML of a part: what holds blocks as events, what is read as a whole as small trees. */
export interface XmlHandler {
  isTree(name: string): boolean;
  open(name: string): void;
  close(): void;
  tree(element: XmlElement): void;
}

/** What walks the trees is recursive. */
const MAX_DEPTH = 400;
/** Of one paragraph: one with more is no text that somebody wrote. */
const MAX_ELEMENTS = 1_000_000;
/** Marks which session of a program wrote what: half of the attributes of a document. */
const SESSION_IDS = 'rsid';

/**
 * Reads XML part by part. Faults are forgiven, entities that the document declares itself never expanded, and
 * names are without their prefix, but that of `r:id`.
 *
 * @returns whether all elements were closed in the end
 * @throws ParseError `too_large`
 */
export async function readXmlEvents(texts: AsyncIterable<string>, handler: XmlHandler): Promise<boolean> {
  const builder = new TreeBuilder(handler);
  const parser = new SaxesParser();
  // Without a listener, the first fault would end the reading.
  parser.on('error', () => {});
  parser.on('opentag', ({ name, attributes }) => builder.open(name, attributes));
  parser.on('closetag', () => builder.close());
  parser.on('text', (text) => builder.text(text));
  parser.on('cdata', (text) => builder.text(text));
  for await (const text of texts) parser.write(text);
  parser.close();
  return builder.finish();
}

class TreeBuilder {
  readonly #trees: XmlElement[] = [];
  #depth = 0;
  #elements = 0;
  #hasRoot = false;

  constructor(private readonly handler: XmlHandler) {}

  open(qualifiedName: string, attributes: Record<string, string>): void {
    const name = localName(qualifiedName);
    this.#hasRoot = true;
    if (++this.#depth > MAX_DEPTH) throw tooComplexError();
    const parent = this.#trees.at(-1);
    if (!parent && !this.handler.isTree(name)) {
      this.handler.open(name);
      return;
    }
    if (parent && ++this.#elements > MAX_ELEMENTS) throw tooComplexError();
    const element = { name, attributes: localNames(attributes), children: [] };
    parent?.children.push(element);
    this.#trees.push(element);
  }

  close(): void {
    this.#depth--;
    const element = this.#trees.pop();
    if (!element) {
      this.handler.close();
    } else if (this.#trees.length === 0) {
      this.#elements = 0;
      this.handler.tree(element);
    }
  }

  text(text: string): void {
    this.#trees.at(-1)?.children.push(text);
  }

  /** Closes what is open: of a part that is cut off, the text so far is kept. */
  finish(): boolean {
    const isWhole = this.#hasRoot && this.#depth === 0;
    while (this.#depth > 0) this.close();
    return isWhole;
  }
}

function localNames(attributes: Record<string, string>): Record<string, string> {
  const renamed: Record<string, string> = {};
  for (const name in attributes) {
    const local = attributeName(name);
    if (!local.startsWith(SESSION_IDS)) renamed[local] = attributes[name] as string;
  }
  return renamed;
}
