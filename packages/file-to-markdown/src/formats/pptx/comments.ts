import { paragraphText } from '../../shared/drawings/paragraph-text.js';
import { commentNote } from '../../shared/text/comment-note.js';
import type { Relationship } from '../../shared/xml/office-relationships.js';
import {
  childElements,
  descendants,
  elementAt,
  textContent,
  type XmlElement,
} from '../../shared/xml/xml-tree.js';
import type { Deck } from './deck.js';

/** Types of the parts that list authors, for comments of PowerPoint up to 2019 and of newer ones. */
const AUTHORS = new Set(['commentAuthors', 'authors']);

/** Reads comments on slides, with the names of their authors. */
export class CommentReader {
  readonly #notes = new Map<string, string[]>();
  #names: Map<string, string> | undefined;

  /** @param related what the presentation refers to */
  constructor(
    private readonly deck: Deck,
    private readonly related: readonly Relationship[],
  ) {}

  /** The comments on a slide with their replies, as notes; those of a damaged part are left out. */
  async read(relations: Map<string, Relationship>): Promise<string[]> {
    const comments = [...relations.values()].filter(({ type }) => type === 'comments');
    const notes: string[] = [];
    for (const path of new Set(comments.map(({ path }) => path))) {
      for (const note of await this.#notesIn(path)) notes.push(note);
    }
    this.deck.textBudget?.assertAvailable(notes.reduce((sum, { length }) => sum + length, 0));
    return notes;
  }

  /** Many slides may name one part. */
  async #notesIn(path: string): Promise<string[]> {
    const known = this.#notes.get(path);
    if (known) return known;
    const root = await this.deck.xml(path);
    const names = root ? await this.#authors() : new Map<string, string>();
    const comments = root ? childElements(root, 'cm') : [];
    const notes = comments
      .flatMap((comment) => [comment, ...descendants(comment, 'reply')])
      .map((comment) => noteOf(comment, names))
      .filter(Boolean);
    this.#notes.set(path, notes);
    return notes;
  }

  async #authors(): Promise<Map<string, string>> {
    if (this.#names) return this.#names;
    this.#names = new Map();
    for (const { path } of this.related.filter(({ type }) => AUTHORS.has(type))) {
      const root = await this.deck.xml(path);
      for (const { attributes } of root ? childElements(root) : []) {
        if (attributes.id !== undefined) this.#names.set(attributes.id, attributes.name ?? '');
      }
    }
    return this.#names;
  }
}

/** Of old comments the text is bare, of newer ones it has paragraphs. */
function noteOf(comment: XmlElement, names: Map<string, string>): string {
  const body = elementAt(comment, 'txBody');
  const text = body
    ? childElements(body, 'p').map(paragraphText).join(' ')
    : textContent(elementAt(comment, 'text'));
  return commentNote({ author: names.get(comment.attributes.authorId ?? ''), text });
}
