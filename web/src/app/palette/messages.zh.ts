import type { en } from './messages.en';

export const zh: typeof en = {
  title: '前往',
  field: '页面、文档、会话或操作',
  hints: { '↑ ↓': '选择', '↵': '打开', Esc: '关闭' },
  screens: '页面',
  actions: '操作',
  documents: '文档',
  conversations: '最近的会话',
  datasets: '数据集',
  tenants: '租户',
  searching: '正在检索…',
  empty: '没有找到。名称可按任意部分查找，ID 须完整。',
  addDocuments: '添加文档',
  makeKey: '创建 API 密钥',
  search: (text) => `在分块中检索“${text}”`,
  searchMessages: (text) => `在消息中检索“${text}”`,
  theme: (name) => `主题：${name}`,
  language: (name) => `语言：${name}`,
  density: (name) => `行距：${name}`,
};
