import type { en } from './messages.en';

export const zh: typeof en = {
  statuses: { created: '等待中', processing: '处理中', ready: '就绪', failed: '失败' },
  stages: { fetching: '获取', parsing: '解析', splitting: '分块', storing: '存储' },
  noSource: '尚无内容',
  attempt: (attempt) => `第 ${attempt} 次尝试`,
};
