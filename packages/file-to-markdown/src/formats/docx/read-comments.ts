import { ParseError } from '../../errors.js';
import { commentNote } from '../../shared/text/comment-note.js';
import type { XmlElement } from '../../shared/xml/xml-tree.js';
import { BlockReader } from './block-reader.js';
import type { DocumentContext } from './context.js';
import { ListLabels } from './list-labels.js';
import type { DocumentParts } from './package.js';
import { readXmlEvents, type XmlHandler } from './xml-events.js';

/** Reads the comments, so that each is known when the body refers to it. */
export async function readComments(parts: DocumentParts, context: DocumentContext): Promise<void> {
  const path = parts.pathOf('comments');
  if (path === undefined) return;
  const reader = new CommentReader({ ...context, labels: new ListLabels(), markOfPicture: () => '' });
  const isWhole = await readXmlEvents(parts.texts(path), reader).catch((error) => {
    if (error instanceof ParseError) return false;
    throw error;
  });
  if (!isWhole) parts.warn(path);
}

class CommentReader implements XmlHandler {
  constructor(private readonly context: DocumentContext) {}

  isTree(name: string): boolean {
    return name === 'comment';
  }

  open(): void {}

  close(): void {}

  tree(comment: XmlElement): void {
    const { id, author } = comment.attributes;
    if (id === undefined) return;
    const reader = new BlockReader(this.context);
    reader.readTree(comment);
    this.context.comments.add(id, commentNote({ author, text: reader.finish() }));
  }
}
