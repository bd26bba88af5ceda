import type { en } from './messages.en';

export const zh: typeof en = {
  noAgent: '未指定',
  statuses: {
    submitted: '已提交',
    running: '运行中',
    'input-required': '等待输入',
    'review-requested': '等待审核',
    reviewed: '已审核',
    succeeded: '成功',
    'partial-succeeded': '部分成功',
    failed: '失败',
    stopped: '已停止',
    canceled: '已取消',
    unknown: '未知',
    none: '无状态',
  },
};
