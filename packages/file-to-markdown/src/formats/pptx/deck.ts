import { ParseError } from '../../errors.js';
import { PicturesInText, ZipPictures } from '../../shared/pictures/pictures-in-text.js';
import { type Relationship, readRelationships } from '../../shared/xml/office-relationships.js';
import type { XmlElement } from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';
import type { TextBudget } from '../../text-budget.js';
import type { ParseInput, Warn } from '../../types.js';

/** A presentation that is being read: a part that cannot be read is reported, and is no reason to stop. */
export class Deck {
  readonly #warn: Warn | undefined;
  readonly textBudget: TextBudget | undefined;
  readonly parseEmbeddedFile: ParseInput['parseEmbeddedFile'];
  readonly #pictures: PicturesInText | undefined;
  readonly #parts: ZipPictures;
  readonly #descriptions = new Set<string>();
  /** Why the first part was not read. */
  failure: ParseError | undefined;

  constructor(
    readonly parts: ZipParts,
    input: ParseInput,
  ) {
    this.#warn = input.warn;
    this.textBudget = input.textBudget;
    this.parseEmbeddedFile = input.parseEmbeddedFile;
    this.#pictures = PicturesInText.wantedBy(input);
    this.#parts = new ZipPictures(parts);
  }

  /** Undefined where the part is damaged or missing. */
  async xml(path: string): Promise<XmlElement | undefined> {
    const root = await this.#attempt(path, () => this.parts.xml(path));
    if (root === undefined && !this.parts.has(path)) this.reportPart(path);
    return root;
  }

  /** What a part refers to, by the ids that it uses. */
  async relationships(path: string): Promise<Map<string, Relationship>> {
    const all = (await this.#attempt(path, () => readRelationships(this.parts, path))) ?? [];
    return new Map(all.map((relation) => [relation.id, relation]));
  }

  /** Reads a file inside the presentation. */
  async embeddedText(path: string): Promise<string | undefined> {
    return this.#attempt(path, async () => {
      const bytes = await this.parts.bytes(path);
      return bytes && this.parseEmbeddedFile?.(bytes, { fileName: path });
    });
  }

  /** What is read in a picture; undefined where it is not. */
  async textOfPicture(path: string, page: number, isLost: boolean): Promise<string | undefined> {
    const picture = this.#pictures && (await this.#parts.of(path));
    if (!picture || !this.#pictures?.count(picture)) return undefined;
    return this.#pictures.read(picture, page, isLost ? { code: 'pages_without_text', page } : undefined);
  }

  reportPart(path: string): void {
    this.#warn?.('unreadable_parts', { name: path });
  }

  reportPageWithoutText(page: number): void {
    this.#warn?.('pages_without_text', { page });
  }

  /** Whether a picture is described so for the first time: a logo is on every slide. */
  isNewDescription(description: string): boolean {
    const isNew = !this.#descriptions.has(description);
    this.#descriptions.add(description);
    return isNew;
  }

  async #attempt<T>(path: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      this.failure ??= error;
      this.reportPart(path);
      return undefined;
    }
  }
}
