import { equationText } from '../../shared/equations/office-math.js';
import { PAGE_BREAK, RENDERED_BREAK } from '../../shared/text/page-breaks.js';
import { childElements, elementAt, textContent, type XmlElement } from '../../shared/xml/xml-tree.js';
import { controlText, withShown } from './content-control.js';
import type { DocumentContext } from './context.js';
import { readDrawing } from './drawing.js';
import type { Segment } from './emphasis.js';
import { formFieldText } from './field.js';
import { raisedText } from './raised-text.js';
import { type RunFormat, runFormat } from './styles.js';
import { symbolText, withoutPrivateCharacters } from './symbols.js';

/** What a paragraph holds. */
export interface Inline {
  segments: Segment[];
  /** Text boxes, and notes that are mentioned for the first time: blocks that come after the paragraph. */
  boxes: XmlElement[];
  notes: { mark: string; blocks: string }[];
  comments: string[];
  /** Charts and diagrams, as Markdown. */
  drawings: string[];
  /** Ids of the relations of pictures, each once. */
  pictures: Set<string>;
}

/** Properties, deleted text, instructions of fields, and the small readings over a text. */
const SKIPPED = new Set([
  'pPr',
  'rPr',
  'sdtPr',
  'sdtEndPr',
  'smartTagPr',
  'customXmlPr',
  'rubyPr',
  'rt',
  'del',
  'moveFrom',
  'delText',
  'instrText',
  'delInstrText',
]);
const CHARACTERS = new Map([
  ['tab', ' '],
  ['ptab', ' '],
  ['cr', '\n'],
  // As people type it when they search.
  ['noBreakHyphen', '-'],
  ['lastRenderedPageBreak', RENDERED_BREAK],
]);
const WORD_START = /^[\p{L}\p{N}]/u;
const WORD_END = /[\p{L}\p{N}]$/u;

interface RunState extends RunFormat {
  font?: string | undefined;
  /** `superscript` or `subscript`. */
  position?: string | undefined;
}

/** Reads the text of one paragraph; fields may begin in it, or have begun before. */
export class InlineReader {
  readonly #inline: Inline;
  /** Fields that are open: where their instruction began, and what they show without a result. */
  readonly #fields: { start: number; shown: string }[] = [];

  #endsEquation = false;

  /** @param before text that a paragraph without an end of its own has left */
  constructor(
    private readonly context: DocumentContext,
    before: Segment[] = [],
  ) {
    this.#inline = {
      segments: before,
      boxes: [],
      notes: [],
      comments: [],
      drawings: [],
      pictures: new Set(),
    };
  }

  read(paragraph: XmlElement): Inline {
    this.#readChildren(paragraph, {});
    return this.#inline;
  }

  #readChildren(parent: XmlElement, format: RunState): void {
    for (const child of childElements(parent)) this.#readElement(child, format);
  }

  #readElement(element: XmlElement, format: RunState): void {
    const { name, attributes } = element;
    const character = CHARACTERS.get(name);
    if (SKIPPED.has(name)) return;
    if (character !== undefined) this.#add(character, format);
    else if (name === 't') this.#addText(textContent(element), format);
    else if (name === 'r') this.#readChildren(element, this.#formatOf(element));
    else if (name === 'br') this.#add(attributes.type === 'page' ? PAGE_BREAK : '\n', format);
    else if (name === 'sym') {
      this.#add(symbolText(attributes.font ?? '', Number.parseInt(attributes.char ?? '', 16)), format);
    } else if (name === 'fldChar') this.#readField(element, format);
    else if (name === 'footnoteReference' || name === 'endnoteReference') {
      this.#addNote(name.slice(0, -'Reference'.length), attributes.id ?? '', format);
    } else if (name === 'commentReference') this.#addComment(attributes.id ?? '');
    else if (name === 'AlternateContent') this.#readAlternatives(element, format);
    else if (name === 'oMath' || name === 'oMathPara') this.#addEquation(equationText(element));
    else if (name === 'sdt') {
      this.#readChildren(withShown(element, controlText(elementAt(element, 'sdtPr'))), format);
    } else if (name === 'drawing' || name === 'pict' || name === 'object') this.#readDrawing(element, format);
    else this.#readChildren(element, format);
  }

  #formatOf(run: XmlElement): RunState {
    const properties = elementAt(run, 'rPr');
    if (!properties) return {};
    const style = this.context.styles.run(elementAt(properties, 'rStyle')?.attributes.val);
    const fonts = elementAt(properties, 'rFonts')?.attributes;
    const position = elementAt(properties, 'vertAlign')?.attributes.val;
    return { ...style, ...runFormat(properties), font: fonts?.ascii ?? fonts?.hAnsi, position };
  }

  #addText(text: string, format: RunState): void {
    const plain = text.replace(/[\r\n\t\u00a0]/g, ' ').replaceAll('\u00ad', '');
    this.#add(raisedText(withoutPrivateCharacters(plain, format.font), format.position), format);
  }

  #add(text: string, { isBold = false, isItalic = false, isHidden }: RunState): void {
    if (!text || isHidden) return;
    const blank = this.#endsEquation && WORD_START.test(text) ? ' ' : '';
    this.#endsEquation = false;
    this.#inline.segments.push({ text: blank + text, isBold, isItalic });
  }

  /** Apart from words around it, but not from signs of punctuation. */
  #addEquation(text: string): void {
    const before = this.#inline.segments.at(-1)?.text ?? '';
    this.#add(WORD_END.test(before.slice(-2)) && !this.#endsEquation ? ` ${text}` : text, {});
    this.#endsEquation = text !== '';
  }

  /** What stands between the beginning of a field and its result is an instruction. */
  #readField(element: XmlElement, format: RunState): void {
    const type = element.attributes.fldCharType;
    if (type === 'begin') {
      this.#fields.push({ start: this.#inline.segments.length, shown: formFieldText(element) });
      return;
    }
    const field = type === 'separate' ? this.#fields.at(-1) : this.#fields.pop();
    if (!field) return;
    const { segments } = this.#inline;
    if (type === 'separate') {
      segments.length = field.start;
    } else if (field.shown && segments.length <= field.start) {
      this.#add(field.shown, format);
    }
  }

  #addNote(kind: string, id: string, format: RunState): void {
    const { number, blocks } = this.context.notes.mention(kind, id);
    const mark = `[${number}]`;
    this.#add(mark, { isHidden: format.isHidden ?? false });
    if (blocks) this.#inline.notes.push({ mark, blocks });
  }

  #addComment(id: string): void {
    const note = this.context.comments.take(id);
    if (note) this.#inline.comments.push(note);
  }

  /** A newer way to write something, then the same for older programs. */
  #readAlternatives(element: XmlElement, format: RunState): void {
    const { segments, boxes, drawings } = this.#inline;
    const size = () => segments.length + boxes.length + drawings.length;
    const before = size();
    for (const alternative of childElements(element)) {
      this.#readChildren(alternative, format);
      if (size() > before) return;
    }
  }

  /** Its text boxes, charts and diagrams, or what its picture is called. */
  #readDrawing(element: XmlElement, { isHidden = false }: RunState): void {
    if (isHidden) return;
    const drawing = readDrawing(element);
    for (const box of drawing.boxes) this.#inline.boxes.push(box);
    for (const id of drawing.relations) {
      const markdown = this.context.drawings.get(id);
      if (markdown) this.#inline.drawings.push(markdown);
    }
    for (const id of drawing.pictures) this.#inline.pictures.add(id);
    for (const text of drawing.texts) this.#addText(` ${text} `, {});
  }
}
