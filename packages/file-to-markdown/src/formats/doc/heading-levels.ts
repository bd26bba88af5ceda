import type { ByteView } from './byte-view.js';
import { PROPERTY, propertyChanges } from './properties.js';

interface Style {
  builtIn: number;
  parent: number;
  outlineLevel: number | undefined;
}

/** Numbers of styles that are built in ([MS-DOC] 2.9.271): headings are 1 to 9 in every language. */
const LAST_HEADING = 9;
const CAPTION = 34;
const TITLE = 62;
const SUBTITLE = 74;
const BODY_LEVEL = 9;
const PARAGRAPH_KIND = 1;
/** Longer chains of styles are circles. */
const MAX_PARENTS = 20;

/** Reads the style sheet: the level of a heading, from 0, by the number of its style; undefined for body text. */
export function readHeadingLevels(sheet: ByteView): (style: number) => number | undefined {
  const styles = readStyles(sheet);
  return (number) => {
    if (styles.length === 0 && number <= LAST_HEADING) return number - 1 < 0 ? undefined : number - 1;
    let style = styles[number];
    for (let parents = 0; style && parents < MAX_PARENTS; parents++) {
      const level = levelOf(style);
      if (level !== undefined) return level < BODY_LEVEL ? level : undefined;
      style = styles[style.parent];
    }
    return undefined;
  };
}

function levelOf({ builtIn, outlineLevel }: Style): number | undefined {
  if (builtIn >= 1 && builtIn <= LAST_HEADING) return builtIn - 1;
  if (builtIn === TITLE) return 0;
  if (builtIn === CAPTION || builtIn === SUBTITLE) return BODY_LEVEL;
  return outlineLevel;
}

/** The sheet ends where one of its lengths leads out of it. */
function readStyles(sheet: ByteView): (Style | undefined)[] {
  const styles: (Style | undefined)[] = [];
  if (sheet.length < 6) return styles;
  const headerLength = sheet.u16(0);
  const count = sheet.u16(2);
  const baseLength = sheet.u16(4);
  let at = 2 + headerLength;
  for (let index = 0; index < count && at + 2 <= sheet.length; index++) {
    const length = sheet.u16(at);
    at += 2;
    if (at + length > sheet.length) break;
    styles.push(length < baseLength ? undefined : readStyle(sheet.slice(at, length), baseLength));
    at += length;
  }
  return styles;
}

function readStyle(bytes: Buffer, baseLength: number): Style | undefined {
  if (bytes.length < 6) return undefined;
  const kindAndParent = bytes.readUInt16LE(2);
  const style = {
    builtIn: bytes.readUInt16LE(0) & 0xfff,
    parent: kindAndParent >> 4,
    outlineLevel: undefined,
  };
  return {
    ...style,
    outlineLevel: outlineLevelOf(bytes, baseLength, (kindAndParent & 0xf) === PARAGRAPH_KIND),
  };
}

/** After the name, which ends with a zero, come the properties of a paragraph at an even place. */
function outlineLevelOf(bytes: Buffer, baseLength: number, isOfParagraphs: boolean): number | undefined {
  if (!isOfParagraphs || baseLength + 2 > bytes.length) return undefined;
  const nameEnd = baseLength + 2 + 2 * bytes.readUInt16LE(baseLength) + 2;
  const at = nameEnd + (nameEnd % 2);
  if (at + 2 > bytes.length) return undefined;
  const end = at + 2 + bytes.readUInt16LE(at);
  for (const { code, operand } of propertyChanges(bytes.subarray(at + 4, end))) {
    if (code === PROPERTY.outlineLevel) return operand[0];
  }
  return undefined;
}
