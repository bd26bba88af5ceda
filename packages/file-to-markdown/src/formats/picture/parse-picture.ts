import { ParseError } from '../../errors.js';
import type { ParseInput, ParserResult } from '../../types.js';

const MEDIA_TYPES = { '89504e47': 'image/png', ffd8ff: 'image/jpeg', '52494646': 'image/webp' } as const;
const TIFF = ['49492a00', '4d4d002a', '49492b00', '4d4d002b'];

/** A file that is a picture, by text recognition; a TIFF may give several pages. */
export async function parsePicture({ source, recognize }: ParseInput): Promise<ParserResult> {
  const read = async () => ({
    mediaType: mediaTypeOf(await source.readHead(4)),
    bytes: await source.readAll(),
  });
  const pages = await recognize?.({ page: 1, loss: { code: 'pages_without_text', page: 1 }, read });
  if (!pages) throw notRecognized();
  return { pages: pages.map((markdown, index) => ({ number: index + 1, markdown })) };
}

function mediaTypeOf(head: Buffer): string {
  const start = head.toString('hex');
  if (TIFF.includes(start)) return 'image/tiff';
  const found = Object.entries(MEDIA_TYPES).find(([magic]) => start.startsWith(magic));
  return found?.[1] ?? 'image/heic';
}

function notRecognized(): ParseError {
  return new ParseError(
    'scanned',
    'The file is a picture; run text recognition (OCR) on it and upload the result.',
  );
}
