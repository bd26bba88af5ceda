import type { en } from './messages.en';

export const zh: typeof en = {
  title: '文档',
};
