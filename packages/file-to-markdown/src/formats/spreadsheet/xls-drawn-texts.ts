import type { Drawn } from './drawn-texts.js';

/** Types of records ([MS-XLS] 2.3). */
const RECORD = { bof: 0x809, eof: 0x0a, boundSheet: 0x85, object: 0x5d, text: 0x1b6, continued: 0x3c };
/** What BOF says of a workbook since Excel 97; before, texts are in other records. */
const EXCEL_97 = 0x600;
/** Kinds of objects ([MS-XLS] 2.5.143); a comment is no part of the sheet. */
const PICTURE = 0x08;
const COMMENT = 0x19;

interface BiffRecord {
  type: number;
  content: Buffer;
}

/** The texts in shapes over each sheet of an old workbook, in the order of the sheets, from its stream. */
export function readXlsDrawnTexts(stream: Buffer = Buffer.alloc(0)): Drawn[] {
  if (stream.length < 6 || stream.readUInt16LE(4) !== EXCEL_97) return [];
  const sheets = [...recordsFrom(stream, 0)].filter(({ type }) => type === RECORD.boundSheet);
  return sheets.map(({ content }) =>
    content.length < 4 ? { texts: [], hasPictures: false } : drawnOver(stream, content.readUInt32LE(0)),
  );
}

function drawnOver(stream: Buffer, start: number): Drawn {
  const texts: string[] = [];
  let hasPictures = false;
  let kind = 0;
  let missing = 0;
  let text = '';
  for (const { type, content } of recordsFrom(stream, start)) {
    if (type === RECORD.object && content.length > 6) {
      kind = content.readUInt16LE(4);
      hasPictures ||= kind === PICTURE;
    } else if (type === RECORD.text && content.length > 12) missing = content.readUInt16LE(10);
    else if (type === RECORD.continued && missing > 0) {
      const part = charactersOf(content).slice(0, missing);
      text += part;
      missing = part ? missing - part.length : 0;
      if (missing > 0) continue;
      if (kind !== COMMENT) texts.push(...text.split(/[\r\n]+/).map((line) => line.trim()));
      text = '';
    }
  }
  return { texts: texts.filter(Boolean), hasPictures };
}

/** In one byte each where all are Latin, or in two. */
function charactersOf(content: Buffer): string {
  return content.toString(content[0] === 1 ? 'utf16le' : 'latin1', 1);
}

/** Records up to the end of a part, which may have charts in it that begin and end likewise. */
function* recordsFrom(stream: Buffer, start: number): Generator<BiffRecord> {
  let depth = 0;
  for (let at = start; at + 4 <= stream.length; ) {
    const type = stream.readUInt16LE(at);
    const length = stream.readUInt16LE(at + 2);
    yield { type, content: stream.subarray(at + 4, at + 4 + length) };
    if (type === RECORD.bof) depth++;
    if (type === RECORD.eof && --depth <= 0) return;
    at += 4 + length;
  }
}
