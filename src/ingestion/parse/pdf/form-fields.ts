import type { PDFPageProxy } from 'pdfjs-dist';
import type { Run } from './fragments.js';

interface Annotation {
  fieldType?: string;
  fieldValue?: unknown;
  rect: [number, number, number, number];
  hidden?: boolean;
  password?: boolean;
}

const USUAL_SIZE = 12;

/** What has been filled in, where it stands on the page: text fields and choices. */
export async function readFields(page: PDFPageProxy): Promise<Run[]> {
  const annotations: Annotation[] = await page.getAnnotations();
  return annotations.flatMap(({ fieldType, fieldValue, rect, hidden, password }) => {
    if (hidden || password || (fieldType !== 'Tx' && fieldType !== 'Ch')) return [];
    const [left, bottom, right, top] = rect;
    const lines = [fieldValue]
      .flat()
      .flatMap((value) => (typeof value === 'string' ? value.split(/[\r\n]+/) : []));
    const size = Math.min(USUAL_SIZE, (top - bottom) / Math.max(1, lines.length));
    return lines
      .filter((line) => line.trim())
      .map((str, index) => ({
        str,
        dir: 'ltr',
        transform: [size, 0, 0, size, left, top - (index + 0.8) * size],
        width: Math.min(right - left, 0.5 * size * str.length),
        height: size,
        fontName: '',
      }));
  });
}
