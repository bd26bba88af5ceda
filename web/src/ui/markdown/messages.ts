import type { Dictionary } from '../../language/language';

const en = {
  label: 'Show Markdown as',
  rendered: 'Rendered',
  source: 'Source',
  table: 'Table',
};
const zh: typeof en = { label: 'Markdown 显示为', rendered: '渲染', source: '源码', table: '表格' };

export const markdownMessages: Dictionary<typeof en> = { en, zh };
