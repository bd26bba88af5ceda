/* Languages of the guide, and the words around its pages. English is at the root, others in a folder of their name. */
export const LANGUAGES = {
  en: {
    label: 'English',
    sections: { 'how-to': 'How-to guides', reference: 'Reference', explanation: 'Explanation' },
    start: 'Start',
    overview: 'Overview',
    search: 'Search',
    noHits: 'Nothing found.',
    menu: 'Menu',
    skip: 'Skip to content',
    guide: 'Guide',
    language: 'Language',
    theme: 'Light or dark',
    onThisPage: 'On this page',
    previous: 'Previous',
    next: 'Next',
    markdown: 'This page as Markdown',
    anchor: 'Link to this section',
    copy: 'Copy',
    copied: 'Copied',
    console: 'Console',
    api: 'API reference',
  },
  zh: {
    label: '中文',
    sections: { 'how-to': '操作指南', reference: '参考', explanation: '说明' },
    start: '首页',
    overview: '概览',
    search: '搜索',
    noHits: '没有找到。',
    menu: '菜单',
    skip: '跳到正文',
    guide: '指南',
    language: '语言',
    theme: '浅色或深色',
    onThisPage: '本页内容',
    previous: '上一页',
    next: '下一页',
    markdown: '本页的 Markdown',
    anchor: '本节链接',
    copy: '复制',
    copied: '已复制',
    console: '控制台',
    api: 'API 参考',
  },
};

/** The language of a page, by its path in the guide. */
export const languageOf = (name) => {
  const [folder] = name.split('/');
  return folder !== 'en' && folder in LANGUAGES ? folder : 'en';
};

/** Where the pages of a language begin. */
export const rootOf = (language) => (language === 'en' ? '' : `${language}/`);
