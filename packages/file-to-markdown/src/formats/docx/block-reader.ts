import { equationText } from '../../shared/equations/office-math.js';
import { EVEN_PAGE_BREAK, ODD_PAGE_BREAK, PAGE_BREAK } from '../../shared/text/page-breaks.js';
import { childElements, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { Block } from './block.js';
import { controlText, withShown } from './content-control.js';
import type { DocumentContext } from './context.js';
import { Flow } from './flow.js';
import { ParagraphReader } from './paragraph.js';
import { isOn } from './styles.js';
import { MAX_SPAN, type TableCell, type TableRow, tableBlocks } from './table.js';
import type { XmlHandler } from './xml-events.js';

/** How a section may begin, where it does not go on within a page. */
const SECTION_BREAKS = new Map([
  ['nextPage', PAGE_BREAK],
  ['oddPage', ODD_PAGE_BREAK],
  ['evenPage', EVEN_PAGE_BREAK],
]);
/** Read as a whole; what else there is holds such, or nothing. */
const TREES = new Set(['p', 'sdtPr', 'tcPr', 'trPr', 'sectPr', 'oMathPara', 'oMath', 'altChunk']);
/** Deleted blocks, and what stands in for others in older programs. */
const SKIPPED = new Set(['del', 'moveFrom', 'Fallback']);

type Table = { kind: 'table'; rows: TableRow[] };
type Row = { kind: 'row'; row: TableRow; isDeleted: boolean };
type Cell = { kind: 'cell'; flow: Flow; cell: TableCell; isDeleted: boolean };
/** A content control around blocks or cells, with what it shows in place of their text. */
type Control = { kind: 'control'; shown: string | undefined };
type Holder = Table | Row | Cell | Control | { kind: 'transparent' } | { kind: 'skipped' };

/** Reads the body of a document, or of a note, into blocks of Markdown with page breaks marked. */
export class BlockReader implements XmlHandler {
  readonly #body = new Flow();
  readonly #holders: Holder[] = [];
  readonly #paragraphs: ParagraphReader;
  /** The flow that is being read, the innermost last. */
  readonly #flows = [this.#body];
  #skipped = 0;
  #characters = 0;
  #counted = 0;
  /** Where the last section ended; how the next one begins is said at its end. */
  #sectionEnd: Block | undefined;

  constructor(private readonly context: DocumentContext) {
    this.#paragraphs = new ParagraphReader(context, (box) => this.readTree(box));
  }

  /** All that was read, as Markdown. */
  finish(): string {
    this.#paragraphs.end(this.#body);
    return this.#body.blocks
      .map(({ markdown }) => markdown)
      .filter(Boolean)
      .join('\n\n');
  }

  isTree(name: string): boolean {
    return TREES.has(name);
  }

  open(name: string): void {
    const holder = this.#holderOf(name);
    if (holder.kind === 'skipped') this.#skipped++;
    if (holder.kind === 'cell') this.#flows.push(holder.flow);
    this.#holders.push(holder);
  }

  close(): void {
    const holder = this.#holders.pop();
    if (holder?.kind === 'skipped') this.#skipped--;
    else if (holder?.kind === 'table') this.#endTable(holder);
    else if (holder?.kind === 'row') this.#endRow(holder);
    else if (holder?.kind === 'cell') this.#endCell(holder);
  }

  tree(element: XmlElement): void {
    if (this.#skipped > 0) return;
    if (element.name === 'p') this.#readParagraph(element);
    else if (element.name === 'sdtPr') this.#readControl(element);
    else if (element.name === 'sectPr') this.#beginSection(element);
    else if (element.name === 'trPr') this.#readRowProperties(element);
    else if (element.name === 'tcPr') this.#readCellProperties(element);
    else this.#addText(this.#textOf(element));
  }

  #holderOf(name: string): Holder {
    if (SKIPPED.has(name)) return { kind: 'skipped' };
    const parent = this.#holders.findLast(isStructure)?.kind;
    if (name === 'sdt') return { kind: 'control', shown: undefined };
    if (name === 'tbl') return { kind: 'table', rows: [] };
    if (name === 'tr' && parent === 'table') {
      return { kind: 'row', row: { cells: [], skipped: 0, isHead: false }, isDeleted: false };
    }
    if (name === 'tc' && parent === 'row') {
      const flow = new Flow(true);
      const cell = { blocks: flow.blocks, notes: flow.notes, span: 1, isContinued: false, holdsTable: false };
      return { kind: 'cell', flow, cell, isDeleted: false };
    }
    return { kind: 'transparent' };
  }

  #innermost<K extends Holder['kind']>(kind: K): Extract<Holder, { kind: K }> | undefined {
    const found = this.#holders.findLast(isStructure);
    return found?.kind === kind ? (found as Extract<Holder, { kind: K }>) : undefined;
  }

  #endTable({ rows }: Table): void {
    const flow = this.#flow;
    flow.holdsTable = true;
    const blocks = tableBlocks(rows, (characters) =>
      this.context.assertAvailable(this.#characters + characters),
    );
    for (const block of blocks) flow.add(block);
    this.#count();
  }

  #endRow({ row, isDeleted }: Row): void {
    if (!isDeleted) this.#innermost('table')?.rows.push(row);
  }

  #endCell({ flow, cell, isDeleted }: Cell): void {
    this.#paragraphs.end(flow);
    this.#flows.pop();
    cell.holdsTable = flow.holdsTable;
    if (!isDeleted) this.#innermost('row')?.row.cells.push(cell);
  }

  #readRowProperties(properties: XmlElement): void {
    const holder = this.#innermost('row');
    if (!holder) return;
    const head = elementAt(properties, 'tblHeader');
    holder.row.isHead = head !== undefined && isOn(head);
    holder.row.skipped = spanOf(elementAt(properties, 'gridBefore'));
    holder.isDeleted = elementAt(properties, 'del') !== undefined;
  }

  #readCellProperties(properties: XmlElement): void {
    const holder = this.#innermost('cell');
    if (!holder) return;
    const merge = elementAt(properties, 'vMerge');
    holder.cell.span = Math.max(1, spanOf(elementAt(properties, 'gridSpan')));
    holder.cell.isContinued = merge !== undefined && merge.attributes.val !== 'restart';
    holder.isDeleted = elementAt(properties, 'cellDel') !== undefined;
  }

  #readControl(properties: XmlElement): void {
    const holder = this.#holders.at(-1);
    if (holder?.kind === 'control') holder.shown = controlText(properties);
  }

  #shownByControl(): string | undefined {
    const controls = this.#holders.filter((holder) => holder.kind === 'control');
    return controls.findLast(({ shown }) => shown !== undefined)?.shown;
  }

  get #flow(): Flow {
    return this.#flows.at(-1) as Flow;
  }

  #readParagraph(paragraph: XmlElement): void {
    const section = elementAt(paragraph, 'pPr', 'sectPr');
    this.#paragraphs.read(withShown(paragraph, this.#shownByControl()), this.#flow);
    if (section) {
      this.#beginSection(section);
      this.#sectionEnd = { markdown: '', text: '' };
      this.#flow.add(this.#sectionEnd);
    }
    this.#count();
  }

  #beginSection(properties: XmlElement): void {
    const type = elementAt(properties, 'type')?.attributes.val ?? 'nextPage';
    if (this.#sectionEnd) this.#sectionEnd.markdown = SECTION_BREAKS.get(type) ?? '';
    this.#sectionEnd = undefined;
  }

  #textOf(element: XmlElement): string {
    if (element.name !== 'altChunk') return equationText(element);
    return this.context.drawings.get(element.attributes['r:id'] ?? element.attributes.id ?? '') ?? '';
  }

  #addText(text: string): void {
    if (text) this.#flow.add({ markdown: text, text });
  }

  /** A text box or a note, which hold anything that a body holds. */
  readTree(parent: XmlElement): void {
    for (const child of childElements(parent)) {
      if (TREES.has(child.name)) {
        this.tree(child);
        continue;
      }
      this.open(child.name);
      this.readTree(child);
      this.close();
    }
  }

  #count(): void {
    const { blocks } = this.#body;
    for (; this.#counted < blocks.length; this.#counted++) {
      this.#characters += (blocks[this.#counted] as Block).markdown.length;
    }
    this.context.assertAvailable(this.#characters);
  }
}

const isStructure = ({ kind }: Holder): boolean => kind !== 'transparent' && kind !== 'control';

function spanOf(element: XmlElement | undefined): number {
  return Math.min(MAX_SPAN, Math.max(0, Math.floor(Number(element?.attributes.val ?? 0)) || 0));
}
