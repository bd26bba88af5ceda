import { corruptFileError } from '../../errors.js';
import type { PictureMarks } from '../../shared/pictures/picture-marks.js';
import type { ReadablePicture } from '../../shared/pictures/pictures-in-text.js';
import type { ParseInput } from '../../types.js';
import { BlockReader } from './block-reader.js';
import { Comments } from './comments.js';
import type { DocumentContext } from './context.js';
import { ListLabels } from './list-labels.js';
import { NoteMarks } from './notes.js';
import { Numbering } from './numbering.js';
import type { DocumentParts } from './package.js';
import { readComments } from './read-comments.js';
import { readNotes } from './read-notes.js';
import { readStyles } from './styles.js';
import { readXmlEvents } from './xml-events.js';

/** The body of a document as Markdown with page breaks marked, each note after the paragraph that mentions it. */
export async function readDocument(
  parts: DocumentParts,
  { textBudget, comments = true }: ParseInput,
  marks?: PictureMarks,
): Promise<string> {
  const pictures = marks ? await parts.pictures() : new Map<string, ReadablePicture>();
  const styles = readStyles(await parts.xml('styles'));
  const context: DocumentContext = {
    styles,
    numbering: new Numbering(await parts.xml('numbering'), styles),
    labels: new ListLabels(),
    notes: new NoteMarks(),
    comments: new Comments(),
    drawings: await parts.drawings(),
    markOfPicture: (id) => {
      const picture = pictures.get(id);
      return (picture && marks?.add(picture)) ?? '';
    },
    assertAvailable: (characters) => textBudget?.assertAvailable(characters),
  };
  await readNotes(parts, context);
  if (comments) await readComments(parts, context);
  const reader = new BlockReader(context);
  const isWhole = await readXmlEvents(parts.texts(parts.main), reader);
  const markdown = reader.finish();
  if (!isWhole && !markdown) throw corruptFileError('Word document');
  if (!isWhole) parts.warn(parts.main);
  return markdown;
}
