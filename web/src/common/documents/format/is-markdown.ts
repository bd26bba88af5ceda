import { formatOf, type Named } from './document-format';

/** Formats whose text is Markdown: of its own, or because Lectern converts them. Mail is as it was written. */
const MARKDOWN = new Set(
  'md pdf docx doc odt rtf pptx xlsx xls epub html webpage csv tsv json ndjson xml png jpeg webp tiff heic'.split(
    ' ',
  ),
);

/** Whether the text of a document is Markdown. Until it has been read, the end of its name says what it is. */
export const isMarkdown = (document: Named): boolean => MARKDOWN.has(formatOf(document) ?? '');

/** People break the lines of these anywhere. */
const MARKDOWN_FILE = /\.(?:md|markdown)$/i;

/** Whether its lines end where the text does. */
export const hasLines = ({ documentName }: Pick<Named, 'documentName'>): boolean =>
  !MARKDOWN_FILE.test(documentName ?? '');
