import { childElements, descendants, elementAt, textContent, type XmlElement } from '../xml/xml-tree.js';
import { type Column, columnsToMarkdown, pointsOf, type TableLimits, titleOf } from './chart-table.js';
import { numberFormatter } from './number-format.js';
import { paragraphText } from './paragraph-text.js';

interface Series {
  /** The levels of its categories, the outermost first. */
  categories: Column[];
  values: Column[];
}

const LABELS = ['dLbl', 'trendlineLbl', 'dispUnitsLbl'];

/** A chart (ECMA-376 21.2): its titles, and a table of the series that share their categories. */
export function chartToMarkdown(root: XmlElement, limits?: TableLimits): string[] {
  const chart = elementAt(root, 'chart');
  const plot = elementAt(chart, 'plotArea');
  const parts = plot ? childElements(plot) : [];
  const starts1904 = isTrue(elementAt(root, 'date1904'));
  const series = parts
    .flatMap((part) => childElements(part, 'ser'))
    .map((one) => readSeries(one, starts1904));
  const groups = new Map<string, Column[]>();
  for (const { categories, values } of series) {
    const key = JSON.stringify(categories.map(({ points }) => [...points]));
    const columns = groups.get(key) ?? categories;
    groups.set(key, columns);
    columns.push(...values);
  }
  const titles = [chart, ...parts].map((part) => titleOf(elementAt(part, 'title')));
  const tables = [...groups.values()].map((columns) => columnsToMarkdown(columns, limits));
  return [...titles, ...tables, ...writtenLabels(parts)].filter(Boolean);
}

function readSeries(series: XmlElement, starts1904: boolean): Series {
  const name = titleOf(elementAt(series, 'tx'));
  const formatted = (holder: XmlElement) => {
    const [format] = descendants(holder, 'formatCode');
    const write = numberFormatter(textContent(format), starts1904);
    return pointsOf(holder, (point) => write(textContent(elementAt(point, 'v'))));
  };
  const column = (element: string, title: string): Column[] => {
    const holder = elementAt(series, element);
    return holder ? [{ name: title, points: formatted(holder) }] : [];
  };
  const category = elementAt(series, 'cat') ?? elementAt(series, 'xVal');
  const levels = category ? [...descendants(category, 'lvl')].reverse() : [];
  const holders = levels.length > 0 ? levels : category ? [category] : [];
  return {
    categories: holders.map((holder) => ({ name: '', points: formatted(holder) })),
    values: [
      ...column('val', name),
      ...column('yVal', name),
      ...column('bubbleSize', ''),
      ...labelsFromSheet(series),
    ],
  };
}

/** Labels of the points that are taken from cells of their own. */
function labelsFromSheet(series: XmlElement): Column[] {
  const [range] = descendants(series, 'datalabelsRange');
  return range ? [{ name: '', points: pointsOf(range) }] : [];
}

/** Labels of single points, trends and units that somebody wrote. */
function writtenLabels(parts: XmlElement[]): string[] {
  const labels = parts.flatMap((part) => LABELS.flatMap((name) => [...descendants(part, name)]));
  const texts = labels.flatMap((label) => {
    const rich = elementAt(label, 'tx', 'rich');
    const paragraphs = rich ? childElements(rich, 'p').map(withoutFields).map(paragraphText) : [];
    return paragraphs.filter(Boolean).join(' ').replace(/\s+/g, ' ').trim() || [];
  });
  return texts.length > 0 ? [texts.map((text) => `- ${text}`).join('\n')] : [];
}

/** Fields in labels stand for names and values that are in the table. */
function withoutFields(paragraph: XmlElement): XmlElement {
  return { ...paragraph, children: childElements(paragraph).filter(({ name }) => name !== 'fld') };
}

const isTrue = (element: XmlElement | undefined): boolean =>
  element !== undefined && element.attributes.val !== '0' && element.attributes.val !== 'false';
