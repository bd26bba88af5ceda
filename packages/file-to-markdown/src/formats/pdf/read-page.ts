import type { PDFPageProxy } from 'pdfjs-dist';
import type { PDFOperatorList } from 'pdfjs-dist/types/src/display/api.js';
import type { FontStyles } from './fonts.js';
import { insertFieldValues } from './form-fields.js';
import { type Fragment, toFragments } from './fragments.js';
import { type Box, boxInFrame, type Frame } from './geometry.js';
import { dropUnknown, lacksCharacters, readByGlyph } from './missing-characters.js';
import { showsPicture } from './pictures.js';
import { type RulingLine, readRulingLines } from './ruling-lines.js';
import type { Run } from './run.js';

/** Text in one direction, with the page's edges and the lines drawn on it as its reader sees them. */
export interface Layer {
  page: Box;
  fragments: Fragment[];
  rulingLines: Box[];
}

/** Start, end and font size. */
type Span = [number, number, number];

export interface ReadPage {
  characters: number;
  /** First the one with most text, then what is written in other directions. */
  layers: Layer[];
  /** Glyphs of which nobody knows the character, and letters and digits. */
  unknownGlyphs: number;
  knownGlyphs: number;
  /** Whether it has no text, but a picture. */
  isPicture: boolean;
}

export async function readPage(page: PDFPageProxy, fonts: FontStyles): Promise<ReadPage> {
  try {
    const content = await page.getTextContent();
    let written: Run[] = content.items.filter((item) => 'str' in item);
    let reading: Promise<PDFOperatorList> | undefined;
    // Reading a page's operators takes as long as reading its text again.
    const operators = () => {
      reading ??= page.getOperatorList();
      return reading;
    };
    if (fonts.isMissing(content.styles)) {
      await operators().catch(() => {});
      fonts.add(page, content.styles);
    }
    if (lacksCharacters(written, fonts)) {
      const byGlyph = operators().then((list) => readByGlyph(written, list, fonts, page.view));
      written = await byGlyph.catch(() => written);
    }
    const { known: texts, unknownGlyphs } = dropUnknown(written, fonts);
    const runs = await insertFieldValues(page, texts);
    const rules = reading || mayHaveTable(runs) ? await readRules(operators()) : [];
    const layers = toFragments(runs, fonts.of).map(({ frame, fragments }, index) => ({
      page: boxInFrame(frame, page.view),
      fragments,
      rulingLines: index === 0 ? rules.map((rule) => ruleInFrame(frame, rule)) : [],
    }));
    const isPicture =
      layers.length === 0 && unknownGlyphs === 0 && (await operators().then(showsPicture, () => false));
    const knownGlyphs = runs.reduce((sum, { str }) => sum + countLetters(str), 0);
    const characters = runs.reduce((sum, { str }) => sum + str.length, 0);
    return { layers, characters, unknownGlyphs, knownGlyphs, isPicture };
  } finally {
    page.cleanup();
  }
}

const countLetters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** What is drawn matters less than the text: where it cannot be read, the page is read without. */
async function readRules(operators: Promise<PDFOperatorList>): Promise<RulingLine[]> {
  try {
    return await readRulingLines(await operators);
  } catch {
    return [];
  }
}

/** Whether a line has a wide gap in it. */
function mayHaveTable(runs: readonly Run[]): boolean {
  const lines = new Map<number, Span[]>();
  for (const { str, width, transform } of runs) {
    if (!str.trim()) continue;
    const [, b = 0, c = 0, d = 0, x = 0, y = 0] = transform;
    const [along, across] = Math.abs(b) > 0.01 ? [y, x] : [x, y];
    const key = Math.round(across);
    const line = lines.get(key);
    const span: Span = [along, along + width, Math.hypot(c, d)];
    if (line) line.push(span);
    else lines.set(key, [span]);
  }
  const hasGap = (line: Span[]) =>
    line
      .sort(([a], [b]) => a - b)
      .some(([start, , size], i) => start - (line[i - 1]?.[1] ?? start) > 1.5 * size);
  return [...lines.values()].some(hasGap);
}

/** Exactly level or plumb, however the scan lies. */
function ruleInFrame(frame: Frame, rule: RulingLine): Box {
  const { left, right, bottom, top } = boxInFrame(frame, rule);
  const [x, y] = [(left + right) / 2, (bottom + top) / 2];
  return right - left > top - bottom
    ? { left, right, bottom: y, top: y }
    : { left: x, right: x, bottom, top };
}
