import type { XmlElement } from '../../shared/xml/xml-tree.js';
import { BlockReader } from './block-reader.js';
import type { DocumentContext } from './context.js';
import { ListLabels } from './list-labels.js';
import type { DocumentParts } from './package.js';
import { readXmlEvents, type XmlHandler } from './xml-events.js';

/** Reads footnotes and endnotes, so that each is known when the body mentions it. */
export async function readNotes(parts: DocumentParts, context: DocumentContext): Promise<void> {
  for (const kind of ['footnote', 'endnote']) {
    const path = parts.pathOf(`${kind}s`);
    if (path === undefined) continue;
    const reader = new NoteReader(kind, { ...context, labels: new ListLabels(), markOfPicture: () => '' });
    if (!(await readXmlEvents(parts.texts(path), reader))) parts.warn(path);
  }
}

class NoteReader implements XmlHandler {
  constructor(
    private readonly kind: string,
    private readonly context: DocumentContext,
  ) {}

  isTree(name: string): boolean {
    return name === this.kind;
  }

  open(): void {}

  close(): void {}

  tree(note: XmlElement): void {
    const { id, type } = note.attributes;
    // Others are the lines that separate notes from the text.
    if (id === undefined || (type !== undefined && type !== 'normal')) return;
    const reader = new BlockReader(this.context);
    reader.readTree(note);
    this.context.notes.add(this.kind, id, reader.finish());
  }
}
