import { listFormats, MAX_DEPTH } from '@lectern/file-to-markdown/formats';
import { code, formatPage, section, table, wrap } from './markdown.js';

const DETECTION =
  'The content decides the format of a file. If the content is text of an uncertain format, the media type decides, then the extension, and then the look of the text. Names of binary files do not count.';

/** The page about formats of files, from the tables by which they are told apart. */
export function formatsPage(): string {
  const formats = listFormats();
  return formatPage({
    title: 'File formats',
    introduction: `Documents can have these ${formats.length} formats. \`documentSubType\` names the format of a document. A file of another format fails with \`unsupported_type\`.`,
    sections: [
      wrap(DETECTION),
      table(
        ['Format', 'Name', 'What is read', 'Limits'],
        formats.map(({ subType, name, readAs, limits }) => [code(subType), name, readAs, limits]),
      ),
      wrap(
        'The limits in this table are fixed. These variables limit every file: `MAX_UPLOAD_BYTES`, `INGEST_MEMORY_MB`, `INGEST_TIMEOUT_SECONDS` and `MAX_CHUNKS_PER_DOCUMENT` ([configuration](configuration.md)).',
      ),
      wrap(
        `Files within a file, such as attachments of a mail, are read up to ${MAX_DEPTH} levels deep. [Limits](limits.md#processing-of-a-document) of text, chunks and time grow with the size of the file. What cannot be read becomes a [warning](errors.md#warning-codes).`,
      ),
      section(
        '## Extensions and media types',
        table(
          ['Format', 'Extensions', 'Media types'],
          formats.map(({ subType, extensions, mediaTypes }) => [
            code(subType),
            extensions.map(code).join(', '),
            mediaTypes.map(code).join(', '),
          ]),
        ),
        'Other media types that end in `+json` or `+xml` are read as `json` or `xml`. Lectern cannot read slides of PowerPoint 2003 and older.',
      ),
    ],
  });
}
