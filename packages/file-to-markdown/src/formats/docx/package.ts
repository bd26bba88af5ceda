import { ParseError } from '../../errors.js';
import { chartToMarkdown } from '../../shared/drawings/chart.js';
import type { TableLimits } from '../../shared/drawings/chart-table.js';
import { diagramToMarkdown } from '../../shared/drawings/diagram.js';
import { extendedChartToMarkdown } from '../../shared/drawings/extended-chart.js';
import { type ReadablePicture, ZipPictures } from '../../shared/pictures/pictures-in-text.js';
import { type Relationship, readRelationships } from '../../shared/xml/office-relationships.js';
import type { XmlElement } from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';
import type { ParseInput } from '../../types.js';

/** More drawings, or texts that are embedded, are read by nobody. */
const MAX_DRAWINGS = 1000;
const DRAWINGS: Record<string, (root: XmlElement, limits?: TableLimits) => string[]> = {
  chart: chartToMarkdown,
  chartEx: extendedChartToMarkdown,
  diagramData: diagramToMarkdown,
};
/** Whole files that a program shows as a picture. */
const EMBEDDED = new Set(['package', 'oleObject']);

/** The parts of a document beside its body; those that are damaged are reported and left out. */
export class DocumentParts {
  private constructor(
    private readonly parts: ZipParts,
    private readonly input: ParseInput,
    readonly main: string,
    private readonly relations: Relationship[],
  ) {}

  static async open(parts: ZipParts, input: ParseInput): Promise<DocumentParts> {
    const reported = async (path: string) => {
      try {
        return await readRelationships(parts, path);
      } catch (error) {
        return report(error, `${path || 'package'}.rels`, input, []);
      }
    };
    const start = (await reported('')).find(({ type }) => type === 'officeDocument')?.path;
    const main = start && parts.has(start) ? start : 'word/document.xml';
    return new DocumentParts(parts, input, main, await reported(main));
  }

  /** The name of the part of a type; undefined where the document has none. */
  pathOf(type: string): string | undefined {
    const path = this.relations.find((relation) => relation.type === type)?.path ?? `word/${type}.xml`;
    if (this.parts.has(path)) return path;
    if (this.relations.some((relation) => relation.type === type)) this.warn(path);
    return undefined;
  }

  async xml(type: string): Promise<XmlElement | undefined> {
    const path = this.pathOf(type);
    return path === undefined ? undefined : this.#xmlOf(path);
  }

  texts(path: string): AsyncIterable<string> {
    return this.parts.textStream(path);
  }

  warn(name: string): void {
    this.input.warn?.('unreadable_parts', { name });
  }

  /** Charts, diagrams and texts in other formats as Markdown, by the id of their relation. */
  async drawings(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const { id, type, path } of this.relations.slice(0, MAX_DRAWINGS)) {
      const read = Object.hasOwn(DRAWINGS, type) ? DRAWINGS[type] : undefined;
      if (read) {
        const root = await this.#xmlOf(path);
        if (root) found.set(id, read(root, this.input).join('\n\n'));
      } else if (type === 'aFChunk') {
        const text = await this.#embedded(path);
        if (text) found.set(id, text);
      } else if (EMBEDDED.has(type) && isFile(path)) {
        this.input.warn?.('unreadable_attachments', { name: path });
      }
    }
    return found;
  }

  /** Pictures that may have text, by the id of their relation. */
  async pictures(): Promise<Map<string, ReadablePicture>> {
    const found = new Map<string, ReadablePicture>();
    const images = this.relations.filter(({ type }) => type === 'image').slice(0, MAX_DRAWINGS);
    const pictures = new ZipPictures(this.parts);
    for (const { id, path } of images) {
      const picture = await pictures.of(path);
      if (picture) found.set(id, picture);
    }
    return found;
  }

  async #xmlOf(path: string): Promise<XmlElement | undefined> {
    try {
      const root = await this.parts.xml(path);
      if (!root) this.warn(path);
      return root;
    } catch (error) {
      return report(error, path, this.input, undefined);
    }
  }

  async #embedded(path: string): Promise<string | undefined> {
    const bytes = await this.parts.bytes(path);
    try {
      const text = bytes && (await this.input.parseEmbeddedFile?.(bytes, { fileName: path }));
      if (text !== undefined) return text;
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
    }
    this.input.warn?.('unreadable_attachments', { name: path });
    return undefined;
  }
}

/** Objects of programs, such as old equations, are no files that somebody opens. */
function isFile(path: string): boolean {
  return !/\.bin$/i.test(path);
}

function report<T>(error: unknown, name: string, { warn }: ParseInput, instead: T): T {
  if (!(error instanceof ParseError)) throw error;
  warn?.('unreadable_parts', { name });
  return instead;
}
