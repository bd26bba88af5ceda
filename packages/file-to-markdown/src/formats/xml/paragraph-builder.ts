import { htmlToMarkdown } from '../html/to-markdown.js';
import { contentAttributes, isCell, isPreformatted, isProse, isSection, localName } from './element-kinds.js';
import {
  attributeLines,
  collapseWhitespace,
  type FieldLine,
  lineText,
  nestLines,
  reflow,
  separateRecord,
} from './lines.js';

interface OpenElement {
  name: string;
  /** Fields so far, its attributes first; where text follows, they turn out to be a part of it. */
  lines: FieldLine[];
  attributes: [string, string][];
  text: string[];
  hasText: boolean;
  /** Whether its children are records, each a paragraph. */
  isList: boolean;
  isTitled: boolean;
  childNames: Set<string>;
}

const MARKUP = /<\/?(?:p|br|div|a|img|ul|ol|li|h[1-6]|table|b|i|strong|em|span|blockquote)\b[^<>]*>/i;
const MAX_MARKUP = 2 ** 20;
/** Lines of a record that are kept together. */
const MAX_LINES = 200;

/**
 * Turns the events of an XML parser into paragraphs: elements of text as `name: value` lines, those of a
 * record together, mixed content as prose, titles of sections as headings.
 */
export class ParagraphBuilder {
  readonly #open: OpenElement[] = [];
  readonly #ready: string[] = [];
  #hasElements = false;
  #sections = 0;
  /** Above this open element, none holds a field. */
  #firstHolder = 0;

  open(qualifiedName: string, allAttributes: Record<string, string>): void {
    const name = localName(qualifiedName);
    const parent = this.#open.at(-1);
    if (parent) this.#noteChild(parent, name);
    if (isSection(name)) this.#sections++;
    this.#hasElements = true;
    this.#firstHolder = Math.min(this.#firstHolder, this.#open.length);
    this.#open.push({
      name,
      attributes: contentAttributes(name, allAttributes),
      // Within a text, what follows belongs to it.
      ...(parent?.hasText ? { hasText: true, text: parent.text } : { hasText: false, text: [] }),
      lines: [],
      isList: false,
      isTitled: false,
      childNames: new Set(),
    });
  }

  text(text: string): void {
    const element = this.#open.at(-1);
    // Before the first element stands no text, unless the whole is no XML; behind the last one, what damage left.
    if (!element) {
      if (this.#hasElements && text.trim()) this.#ready.push(text.trim());
      return;
    }
    if (!element.hasText && text.trim()) {
      element.hasText = true;
      element.text = element.lines.splice(0).map((line) => `${line.text} `);
    }
    element.text.push(text);
  }

  close(): void {
    const element = this.#open.pop();
    if (!element) return;
    if (isSection(element.name)) this.#sections--;
    const parent = this.#open.at(-1);
    if (parent?.hasText) return;
    if (parent && isHeading(element, parent)) this.#addHeading(element, parent);
    else if (element.hasText) this.#addText(element, parent);
    else this.#addFields(element, parent);
  }

  /** The paragraphs that are done. */
  take(): string[] {
    return this.#ready.splice(0);
  }

  /** The rest, also of elements that were never closed. */
  end(): string[] {
    while (this.#open.length > 0) this.close();
    return this.take();
  }

  /** A second child of one name makes the parent a list; its first becomes a paragraph, too. */
  #noteChild(parent: OpenElement, name: string): void {
    const isRecord = !parent.isList && parent.lines.some(({ path }) => path.startsWith(`${name}.`));
    if (isRecord && parent.childNames.has(name)) {
      const groups = separateRecord(name, parent.lines.splice(0));
      this.#flush();
      for (const group of groups) this.#addReady(group);
      parent.isList = true;
    }
    parent.childNames.add(name);
  }

  #addHeading(element: OpenElement, parent: OpenElement): void {
    parent.attributes = [];
    this.#addParagraph(
      `${'#'.repeat(Math.min(6, this.#sections))} ${collapseWhitespace(element.text.join(''))}`,
    );
    parent.isTitled = true;
  }

  #addText(element: OpenElement, parent: OpenElement | undefined): void {
    const text = element.text.join('');
    if (isPreformatted(element.name)) {
      this.#addParagraph(`\`\`\`\n${text.replace(/^\n/, '').trimEnd()}\n\`\`\``);
    } else if (text.length <= MAX_MARKUP && MARKUP.test(text)) {
      const markdown = htmlToMarkdown(text).trim();
      this.#addParagraph(isProse(element.name) ? markdown : `${element.name}:\n\n${markdown}`);
    } else if (!parent || isProse(element.name) || element.childNames.size > 0) {
      this.#addParagraph(`${isItem(element, parent) ? '- ' : ''}${reflow(text)}`);
    } else {
      const details = attributeLines(element.attributes).map(lineText).join(', ');
      const line = { path: element.name, text: reflow(text) + (details && ` (${details})`) };
      this.#addLines(parent, [line]);
    }
  }

  #addFields(element: OpenElement, parent: OpenElement | undefined): void {
    const lines = asRow([...attributeLines(element.attributes), ...element.lines]);
    if (lines.length === 0) return;
    if (parent && !parent.isList && !element.isTitled) this.#addLines(parent, nestLines(element.name, lines));
    else this.#addParagraph(lines.map(lineText).join('\n'));
  }

  #addLines(parent: OpenElement, lines: FieldLine[]): void {
    parent.lines.push(...lines);
    this.#firstHolder = Math.min(this.#firstHolder, this.#open.length - 1);
    if (parent.lines.length > MAX_LINES) this.#flush();
  }

  #addParagraph(text: string): void {
    this.#flush();
    if (text.trim()) this.#ready.push(text);
  }

  /** The fields so far of all open elements, which stand before what comes now. */
  #flush(): void {
    for (const element of this.#open.slice(this.#firstHolder)) {
      this.#addReady([...attributeLines(element.attributes.splice(0)), ...element.lines.splice(0)]);
    }
    this.#firstHolder = this.#open.length;
  }

  #addReady(lines: FieldLine[]): void {
    if (lines.length > 0) this.#ready.push(lines.map(lineText).join('\n'));
  }
}

/** The first child of a section, if it is called a title. */
function isHeading(element: OpenElement, parent: OpenElement): boolean {
  const isFirst = parent.childNames.size === 1 && !parent.isTitled;
  return /^(?:title|head)$/.test(element.name) && element.hasText && isSection(parent.name) && isFirst;
}

function isItem({ name }: OpenElement, parent: OpenElement | undefined): boolean {
  return name === 'li' || (/^list-?item$/.test(parent?.name ?? '') && parent?.childNames.size === 1);
}

/** The cells of a row in one line. */
function asRow(lines: FieldLine[]): FieldLine[] {
  const isRow = lines.length > 0 && lines.every(({ path }) => isCell(path));
  return isRow ? [{ path: '', text: lines.map(({ text }) => text).join(' | ') }] : lines;
}
