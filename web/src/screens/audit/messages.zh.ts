import type { en } from './messages.en';

export const zh: typeof en = {
  title: '审计日志',
};
