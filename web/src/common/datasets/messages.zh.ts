import type { en } from './messages.en';

export const zh: typeof en = {
  cancel: '取消',
  undo: '撤销',
  noAnswer: '服务器没有响应。',
  run: {
    title: '更改数据集',
    move: (to) => `正在将文档移至 ${to}`,
    delete: (from) => `正在删除 ${from}`,
    undo: '正在移回文档',
    progress: (done, total) => `${done} / ${total}`,
    stop: '停止',
    stopping: '正在停止…',
    resume: '继续',
    close: '关闭',
    failed: (done, total, why) => `已完成 ${done} / ${total} 个文档后中断：${why}`,
  },
  done: {
    move: (count, to) => `已将 ${count} 个文档移至 ${to}。`,
    delete: (count, from) => `已删除或移出 ${from} 的 ${count} 个文档。`,
    undo: (count) => `已移回 ${count} 个文档。`,
    stopped: '其余文档保持不变。',
  },
  pending: (dataset, count) => `${dataset} 及其 ${count} 个文档即将删除。`,
  moving: {
    title: (_, text) => `移动 ${text} 个文档`,
    to: '目标数据集',
    hint: '请选择一个，或输入新名称后按 Enter。',
    submit: '移动',
    fromOne: (from) => `文档将移出 ${from}，并保留在其他数据集中。`,
    fromAll: '文档将移出目前所在的数据集。',
    unit: (unit) => `只移动单元 ${unit} 的文档。`,
  },
};
