import { childElements, descendants, elementAt, textContent, type XmlElement } from '../xml/xml-tree.js';
import { type Column, columnsToMarkdown, pointsOf, type TableLimits, titleOf } from './chart-table.js';

/** A chart of the kinds since 2016, such as waterfalls and treemaps ([MS-ODRAWXML] 2.24.3). */
export function extendedChartToMarkdown(root: XmlElement, limits?: TableLimits): string[] {
  const chart = elementAt(root, 'chart');
  const plot = elementAt(chart, 'plotArea');
  const series = plot ? [...descendants(plot, 'series')] : [];
  const names = new Map(
    series.map((one) => [elementAt(one, 'dataId')?.attributes.val, titleOf(elementAt(one, 'tx'))]),
  );
  const data = elementAt(root, 'chartData');
  const tables = (data ? childElements(data, 'data') : []).map((set) =>
    columnsToMarkdown(readColumns(set, names.get(set.attributes.id) ?? ''), limits),
  );
  const axes = plot ? childElements(plot, 'axis') : [];
  const titles = [chart, ...axes].map((part) => titleOf(elementAt(part, 'title')));
  return [...titles, ...tables].filter(Boolean);
}

/** Categories have levels, of which the innermost comes first. */
function readColumns(set: XmlElement, name: string): Column[] {
  const columns = (dimension: string, title: string) =>
    childElements(set, dimension).flatMap((one) =>
      childElements(one, 'lvl')
        .reverse()
        .map((level) => ({ name: title, points: pointsOf(level, textContent) })),
    );
  return [...columns('strDim', ''), ...columns('numDim', name)];
}
