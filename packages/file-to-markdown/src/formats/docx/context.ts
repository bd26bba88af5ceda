import type { Comments } from './comments.js';
import type { ListLabels } from './list-labels.js';
import type { NoteMarks } from './notes.js';
import type { Numbering } from './numbering.js';
import type { Styles } from './styles.js';

/** What paragraphs refer to. */
export interface DocumentContext {
  styles: Styles;
  numbering: Numbering;
  labels: ListLabels;
  notes: NoteMarks;
  comments: Comments;
  /** Markdown of charts, diagrams and embedded texts, by the id of their relation. */
  drawings: ReadonlyMap<string, string>;
  /** What stands for a picture, by the id of its relation; empty where it is not read. */
  markOfPicture(id: string): string;
  /** Throws where so many characters more would be too much text. */
  assertAvailable(characters: number): void;
}
