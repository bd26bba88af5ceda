import { chartToMarkdown } from '../../shared/drawings/chart.js';
import { diagramToMarkdown } from '../../shared/drawings/diagram.js';
import { extendedChartToMarkdown } from '../../shared/drawings/extended-chart.js';
import { imageDescription } from '../../shared/text/image-description.js';
import type { Relationship } from '../../shared/xml/office-relationships.js';
import { childElements, descendants, elementAt, type XmlElement } from '../../shared/xml/xml-tree.js';
import type { Deck } from './deck.js';
import { readParagraphs } from './paragraphs.js';
import type { Shape } from './shapes.js';
import { tableToMarkdown } from './table.js';

/** Reads the shapes of one slide, or of its notes. */
export class ShapeReader {
  /** Many frames may show one part. */
  readonly #drawings = new Map<string, string[]>();

  constructor(
    private readonly deck: Deck,
    private readonly relations: Map<string, Relationship>,
    private readonly slide: { page: number; hasText: boolean },
  ) {}

  /** @throws IngestionError `too_much_text` */
  async read(shapes: Shape[]): Promise<string[]> {
    const blocks: string[] = [];
    let characters = 0;
    for (const shape of shapes) {
      const added = await this.#readShape(shape);
      for (const block of added) characters += block.length;
      this.deck.textBudget?.assertAvailable(characters);
      for (const block of added) blocks.push(block);
    }
    return blocks;
  }

  async #readShape(shape: Shape): Promise<string[]> {
    const texts = await this.#readTexts(shape);
    const part = this.relations.get(pictureId(shape) ?? '');
    const { page, hasText } = this.slide;
    const text = part && (await this.deck.textOfPicture(part.path, page, !hasText));
    return text ? [...texts, text] : texts;
  }

  async #readTexts(shape: Shape): Promise<string[]> {
    const blocks =
      shape.element.name === 'graphicFrame'
        ? await this.#readFrame(elementAt(shape.element, 'graphic', 'graphicData'))
        : readParagraphs(shape);
    if (blocks.length > 0) return blocks;
    const description = imageDescription(shape.alternativeText);
    return description && this.deck.isNewDescription(description) ? [description] : [];
  }

  async #readFrame(data: XmlElement | undefined): Promise<string[]> {
    const table = elementAt(data, 'tbl');
    if (table) return [tableToMarkdown(table, this.deck.textBudget)].filter(Boolean);
    const id = elementAt(data, 'relIds')?.attributes.dm ?? elementAt(data, 'chart')?.attributes['r:id'];
    const part = this.relations.get(id ?? '');
    if (!part) return [];
    const known = this.#drawings.get(part.path);
    if (known) return known;
    const blocks = await this.#readDrawing(part);
    this.#drawings.set(part.path, blocks);
    return blocks;
  }

  /** SmartArt and charts: the slide refers to a part with their texts. */
  async #readDrawing({ type, path }: Relationship): Promise<string[]> {
    const root = await this.deck.xml(path);
    if (!root) return [];
    if (type === 'diagramData') return diagramToMarkdown(root);
    if (type === 'chartEx') return extendedChartToMarkdown(root, this.deck);
    return this.#readChart(root, path);
  }

  async #readChart(root: XmlElement, path: string): Promise<string[]> {
    const relations = [...(await this.deck.relationships(path)).values()];
    const blocks = chartToMarkdown(root, this.deck);
    const [point] = descendants(root, 'pt');
    const sheet = relations.find(({ type }) => type === 'package');
    // Some programs write the sheet alone.
    const figures = !point && sheet ? await this.deck.embeddedText(sheet.path) : undefined;
    const drawn = relations.find(({ type }) => type === 'chartUserShapes');
    const overlay = drawn && (await this.deck.xml(drawn.path));
    const texts = overlay ? [...descendants(overlay, 'sp')].flatMap(shapeTexts) : [];
    return [...blocks, ...(figures ? [figures] : []), ...texts];
  }
}

/** A picture, or a shape that is filled with one. */
function pictureId({ element }: Shape): string | undefined {
  const fill = elementAt(element, 'blipFill') ?? elementAt(element, 'spPr', 'blipFill');
  return elementAt(fill, 'blip')?.attributes.embed;
}

function shapeTexts(element: XmlElement): string[] {
  const hasText = childElements(element, 'txBody').length > 0;
  return hasText ? readParagraphs({ element, placeholder: undefined, alternativeText: undefined }) : [];
}
