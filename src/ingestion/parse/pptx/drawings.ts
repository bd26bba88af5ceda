import { markdownTable } from '../markdown-table.js';
import { descendants, elementAt, textContent, type XmlElement } from '../xml-tree.js';

/** More is a picture rather than figures. */
const MAX_POINTS = 1000;

/** The texts of a SmartArt drawing as a list. */
export function diagramToMarkdown(root: XmlElement): string[] {
  const items = textsOf(root, 't').map((item) => `- ${item}`);
  return items.length > 0 ? [items.join('\n')] : [];
}

/** A chart's title, and its series as the columns of a table. */
export function chartToMarkdown(root: XmlElement): string[] {
  const chart = elementAt(root, 'chart');
  const title = textsOf(elementAt(chart, 'title'), 't').join(' ');
  const plot = elementAt(chart, 'plotArea');
  const series = plot ? [...descendants(plot, 'ser')] : [];
  const names = series.map((one) => textsOf(elementAt(one, 'tx'), 'v').join(' '));
  const categories = pointsOf(series[0], 'cat', 'xVal');
  const values = series.map((one) => pointsOf(one, 'val', 'yVal'));
  const length = Math.max(0, ...[categories, ...values].map((points) => points.length));
  const rows = Array.from({ length }, (_, index) =>
    [categories, ...values].map((points) => points[index] ?? ''),
  );
  return [title, rows.length > 0 ? markdownTable([['', ...names], ...rows]) : ''].filter(Boolean);
}

/** What the program last took from the sheet behind the chart. */
function pointsOf(series: XmlElement | undefined, ...names: string[]): string[] {
  const holder = names.map((name) => elementAt(series, name)).find(Boolean);
  const points: string[] = [];
  for (const point of holder ? descendants(holder, 'pt') : []) {
    const index = Number(point.attributes.idx ?? points.length);
    if (index >= 0 && index < MAX_POINTS) points[index] = textsOf(point, 'v').join(' ');
  }
  return points;
}

function textsOf(element: XmlElement | undefined, name: string): string[] {
  const found = element ? [...descendants(element, name)] : [];
  return found.map((text) => textContent(text).replace(/\s+/g, ' ').trim()).filter(Boolean);
}
