import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js';
import { UNKNOWN } from './font-characters.js';
import type { FontStyles } from './fonts.js';
import { type Glyph, readGlyphRuns } from './glyph-runs.js';
import { foldPrivateUse, isPictureFont } from './private-use.js';
import type { Run } from './run.js';

const UNREADABLE = /[^\P{Cc}\s]|[\p{Co}\p{Cn}\ufffd]/gu;
const LONE_PICTURE = /^\s*\p{Co}\s*$/u;

/**
 * Whether the text may have to be read by glyph: pdf.js leaves soft hyphens out, and takes codes for characters where
 * the file does not map them. Not where it has also put the text in order, from right to left or downwards.
 */
export function lacksCharacters(runs: readonly Run[], fonts: FontStyles): boolean {
  const isOrdered = ({ dir, fontName }: Run) =>
    (dir !== 'ltr' && !fonts.charactersOf(fontName)?.isUnmapped) || fonts.of(fontName).vertical;
  if (runs.some(isOrdered)) return false;
  return runs.some(({ str, fontName }) => {
    const characters = fonts.charactersOf(fontName);
    return str.trim() !== '' && (characters?.hasSoftHyphen || characters?.hasUntold(str));
  });
}

/** Text as pdf.js reads it, or by glyph where that lacks something. */
export async function readByGlyph(
  written: readonly Run[],
  operators: PDFOperatorList,
  fonts: FontStyles,
  [left = 0, bottom = 0, right = 0, top = 0]: readonly number[],
): Promise<Run[]> {
  const codes = new Map<string, number[]>();
  let hasSoftHyphen = false;
  const note = (font: string, { originalCharCode: code, unicode }: Glyph) => {
    const noted = codes.get(font);
    if (noted) noted.push(code);
    else codes.set(font, [code]);
    hasSoftHyphen ||= unicode === '\u00ad';
    return '';
  };
  await readGlyphRuns(operators, note, fonts.unitOf);
  const isComplete = !written.some(
    ({ str, fontName }) => str.trim() && fonts.charactersOf(fontName)?.hasUntold(str),
  );
  if (isComplete && !hasSoftHyphen) return [...written];
  for (const [font, used] of codes) fonts.charactersOf(font)?.sample(used);
  const characterOf = (font: string, glyph: Glyph) =>
    fonts.charactersOf(font)?.of(glyph.originalCharCode, glyph.unicode) ?? glyph.unicode;
  const runs = await readGlyphRuns(operators, characterOf, fonts.unitOf);
  return runs.filter(({ width, transform: [, , , , x = 0, y = 0] }) => {
    const isBeside = x + width < left || x > right || y < bottom || y > top;
    return !isBeside;
  });
}

/** The text that is known, and how many glyphs are not; pictures and bullets are not missed. */
export function dropUnknown(runs: readonly Run[], fonts: FontStyles) {
  let unknownGlyphs = 0;
  const known = runs.map((run) => {
    const { name } = fonts.of(run.fontName);
    const folded = foldPrivateUse(run.str, name);
    const isPicture = isPictureFont(name) || LONE_PICTURE.test(folded);
    if (!isPicture) unknownGlyphs += folded.match(UNREADABLE)?.length ?? 0;
    const str = folded.replaceAll(UNKNOWN, '');
    return str === run.str ? run : { ...run, str };
  });
  return { known, unknownGlyphs };
}
