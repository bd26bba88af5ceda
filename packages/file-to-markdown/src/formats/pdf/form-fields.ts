import type { PDFPageProxy } from 'pdfjs-dist';
import { checkBox } from '../../shared/text/check-box.js';
import type { Run } from './run.js';

interface Annotation {
  subtype?: string;
  /** What a text box shows. */
  contentsObj?: { str: string };
  annotationFlags?: number;
  fieldType?: string;
  fieldValue?: unknown;
  rect: [number, number, number, number];
  hidden?: boolean;
  password?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string | null;
}

const USUAL_SIZE = 12;
/** Flags of what is not shown. */
const HIDDEN = 2 | 32;

/** Puts what has been filled in, into text fields, choices, check boxes and text boxes, after the labels to their left. */
export async function insertFieldValues(page: PDFPageProxy, runs: readonly Run[]): Promise<Run[]> {
  const annotations: Annotation[] = await page.getAnnotations().catch(() => []);
  if (annotations.length === 0) return [...runs];
  const result = [...runs];
  for (const field of annotations.flatMap(runsOfValue))
    result.splice(labelIndex(result, field) + 1, 0, field);
  return result;
}

function runsOfValue(annotation: Annotation): Run[] {
  const { hidden, password, annotationFlags = 0 } = annotation;
  if (hidden || password || (annotationFlags & HIDDEN) !== 0) return [];
  const value = shownBy(annotation);
  const [left, bottom, right, top] = annotation.rect;
  const values = [value].flat().filter((value) => typeof value === 'string');
  const lines = values.flatMap((value) => value.split(/[\r\n]+/)).filter((line) => line.trim());
  const size = Math.min(USUAL_SIZE, (top - bottom) / Math.max(1, lines.length));
  return lines.map((str, index) => ({
    str,
    dir: 'ltr',
    transform: [size, 0, 0, size, left, top - (index + 0.8) * size],
    width: Math.min(right - left, 0.5 * size * str.length),
    height: size,
    fontName: '',
  }));
}

/** Undefined for what shows nothing, such as a button that sends the form. */
function shownBy(annotation: Annotation): unknown {
  const { subtype, fieldType, fieldValue, exportValue, buttonValue } = annotation;
  if (subtype === 'FreeText') return annotation.contentsObj?.str;
  if (fieldType === 'Tx' || fieldType === 'Ch') return fieldValue;
  if (annotation.checkBox) return checkBox(exportValue !== undefined && fieldValue === exportValue);
  return annotation.radioButton
    ? checkBox(typeof buttonValue === 'string' && fieldValue === buttonValue)
    : undefined;
}

/** The place of the nearest run to the left on the same line, else of the last one. */
function labelIndex(runs: readonly Run[], { transform: [size = 0, , , , x = 0, y = 0] }: Run): number {
  let nearest = runs.length - 1;
  let distance = Infinity;
  for (const [index, { str, width, transform }] of runs.entries()) {
    const gap = x - (transform[4] ?? 0) - width;
    const isOnLine = Math.abs((transform[5] ?? 0) - y) < size / 2;
    if (!str.trim() || !isOnLine || gap < -size || gap >= distance) continue;
    nearest = index;
    distance = gap;
  }
  return nearest;
}
