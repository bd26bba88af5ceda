import type { en } from './messages.en';

export const zh: typeof en = {
  'conversations:read': '读取会话、消息及其历史。',
  'conversations:write': '创建、重命名和删除会话，并设置其状态。',
  'messages:write': '向会话追加消息，并为其创建会话。',
  'retention:read': '读取会话的保留规则。',
  'retention:write': '设置会话的保留规则，以及阻止删除会话的法律保留。',
  'users:erase': '删除某个用户的全部数据，并列出此类删除任务。',
  'documents:read': '读取文档、其状态和设置。',
  'documents:write': '添加、修改、处理和删除文档，并上传文件。',
  'chunks:read': '读取文档的分块。',
  'chunks:write': '编辑、启用、停用和删除分块。',
  search: '在可及的数据集中检索。',
  'members:read': '列出租户的成员及其角色。',
  'members:write': '为成员分配角色（不超过自己的权限），并移除成员。',
  'keys:admin': '管理密钥和 Webhook，并读取审计日志。它所创建的密钥的权限不会超过它自己。',
  operations: '查看并修复检索索引，并读取监控指标。',
};
