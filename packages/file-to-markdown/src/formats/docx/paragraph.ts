import { PAGE_BREAK } from '../../shared/text/page-breaks.js';
import { elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { DocumentContext } from './context.js';
import { plainText, type Segment, withEmphasis } from './emphasis.js';
import type { Flow } from './flow.js';
import { type Inline, InlineReader } from './inline.js';
import { BULLET } from './list-labels.js';
import { isOn, listReference, outlineLevel, type ParagraphStyle } from './styles.js';

const MAX_MARKS = 6;
const BODY_LEVEL = 9;

/** Reads paragraphs, headings and items of lists. */
export class ParagraphReader {
  /** Text whose paragraph goes on in the next one. */
  #left: Segment[] = [];
  #isFirst = true;

  constructor(
    private readonly context: DocumentContext,
    private readonly readBox: (box: XmlElement) => void,
  ) {}

  read(paragraph: XmlElement, flow: Flow): void {
    const properties = elementAt(paragraph, 'pPr');
    const inline = new InlineReader(this.context, this.#left).read(paragraph);
    this.#left = [];
    if (goesOn(properties)) this.#left = inline.segments;
    else this.#addText(flow, inline.segments, properties);
    this.#addRest(flow, inline);
  }

  /** At the end of a flow, nothing goes on. */
  end(flow: Flow): void {
    if (this.#left.length > 0) this.#addText(flow, this.#left.splice(0), undefined);
  }

  #addText(flow: Flow, segments: Segment[], properties: XmlElement | undefined): void {
    const styleId = elementAt(properties, 'pStyle')?.attributes.val;
    const style = this.context.styles.paragraph(styleId);
    const text = plainText(segments);
    const label = text && this.#labelOf(properties, style, styleId);
    const mark = !this.#isFirst && startsPage(properties, style) ? PAGE_BREAK : '';
    this.#isFirst = false;
    const heading = headingLevel(properties, style);
    if (heading !== undefined && text) {
      const line = [label && label.text !== BULLET && label.text, text.replace(/\s+/g, ' ')];
      const title = line.filter(Boolean).join(' ');
      const marks = '#'.repeat(Math.min(MAX_MARKS, heading + 1));
      flow.add({ markdown: `${mark}${marks} ${title}`, text: title, isHeading: true });
    } else if (label) flow.addItem(label.level, label.text, { markdown: withEmphasis(segments), text }, mark);
    else if (mark + text) flow.add({ markdown: mark + withEmphasis(segments), text: mark + text });
  }

  /** Undefined where nothing stands before the paragraph. */
  #labelOf(
    properties: XmlElement | undefined,
    style: ParagraphStyle,
    styleId: string | undefined,
  ): { text: string; level: number } | undefined {
    const own = listReference(properties);
    const id = own?.id ?? style.list?.id;
    const found = this.context.numbering.find({ id, level: own?.level ?? style.list?.level }, styleId);
    const text = found && this.context.labels.next(found.list, found.level);
    return text ? { text, level: found.level } : undefined;
  }

  #addRest(flow: Flow, { boxes, notes, comments, drawings, pictures }: Inline): void {
    for (const id of pictures) flow.addPicture(this.context.markOfPicture(id));
    for (const box of boxes) this.readBox(box);
    for (const drawing of drawings) if (drawing) flow.add({ markdown: drawing, text: drawing });
    const texts = [...notes.map(({ mark, blocks }) => `${mark} ${blocks}`), ...comments];
    flow.addNotes(texts.map((text) => ({ markdown: text, text })));
  }
}

function headingLevel(properties: XmlElement | undefined, style: ParagraphStyle): number | undefined {
  const level = outlineLevel(properties) ?? style.heading;
  return level === BODY_LEVEL ? undefined : level;
}

function startsPage(properties: XmlElement | undefined, style: ParagraphStyle): boolean {
  const own = elementAt(properties, 'pageBreakBefore');
  return own ? isOn(own) : style.breaksPage;
}

/** The end of the paragraph was deleted, or it is the large first letter of the next one. */
function goesOn(properties: XmlElement | undefined): boolean {
  const end = elementAt(properties, 'rPr');
  const isDeleted = elementAt(end, 'del') ?? elementAt(end, 'moveFrom');
  return isDeleted !== undefined || elementAt(properties, 'framePr')?.attributes.dropCap !== undefined;
}
