import type { en } from './messages.en';

export const zh: typeof en = {
  title: '已保存的视图',
  save: '保存为视图',
  edit: '编辑视图',
  name: '视图名称',
  nameOf: (name) => `“${name}”的名称`,
  deleteOf: (name) => `删除视图“${name}”`,
  taken: '另一个视图已使用此名称。',
  full: (most) => `已有 ${most} 个视图，请先删除一个。`,
  kept: '视图保存在此浏览器中，仅用于此租户。',
  submit: '保存',
  cancel: '取消',
  rename: '重命名',
  delete: '删除',
  done: '完成',
};
