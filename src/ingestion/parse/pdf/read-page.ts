import type { PDFPageProxy } from 'pdfjs-dist';
import type { FontStyles } from './fonts.js';
import { insertFieldValues } from './form-fields.js';
import { type Fragment, type Run, toFragments } from './fragments.js';
import { type Box, boxInFrame, type Frame } from './geometry.js';
import { type RulingLine, readRulingLines } from './ruling-lines.js';

/** Text in one direction, with the page's edges and the lines drawn on it as its reader sees them. */
export interface Layer {
  page: Box;
  fragments: Fragment[];
  rulingLines: Box[];
}

/** Start, end and font size. */
type Span = [number, number, number];

/** The layers of a page: first the one with most text, then what is written in other directions. */
export async function readPage(page: PDFPageProxy, fonts: FontStyles, hasFields: boolean): Promise<Layer[]> {
  try {
    const content = await page.getTextContent();
    const written: Run[] = content.items.filter((item) => 'str' in item);
    const runs = hasFields ? await insertFieldValues(page, written) : written;
    const needsFonts = fonts.isMissing(content.styles);
    // Reading a page's operators takes as long as reading its text again.
    const rules = needsFonts || mayHaveTable(runs) ? await readRules(page) : [];
    if (needsFonts) fonts.add(page, content.styles);
    return toFragments(runs, fonts.of).map(({ frame, fragments }, index) => ({
      page: boxInFrame(frame, page.view),
      fragments,
      rulingLines: index === 0 ? rules.map((rule) => ruleInFrame(frame, rule)) : [],
    }));
  } finally {
    page.cleanup();
  }
}

/** What is drawn matters less than the text: where it cannot be read, the page is read without. */
async function readRules(page: PDFPageProxy): Promise<RulingLine[]> {
  try {
    return await readRulingLines(await page.getOperatorList());
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
