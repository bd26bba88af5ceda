import { scannedPdf } from '../../support/scans/scanned-pdf.js';
import { toBars } from '../model/bars.js';
import { markersOf } from '../model/content.js';

/** A PDF whose first page says the first marker of a text, and whose other pages are pictures of the other markers. */
export function toScans(text: string): Buffer {
  const [first = '', ...others] = markersOf(text);
  const scans = others.map((marker) => toBars(Number(marker.slice(1))));
  return scannedPdf([{ text: `This page says ${first}.` }, ...scans]);
}
