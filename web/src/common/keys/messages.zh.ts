import type { en } from './messages.en';

export const zh: typeof en = {
  title: '创建密钥',
  name: '名称',
  units: '单元，用逗号分隔',
  unitsHint: '不填则可访问租户的所有单元。',
  datasets: '数据集',
  datasetsHint: '不填则可访问所有数据集；填写后不能管理密钥或查看运维信息。',
  permissions: '权限',
  lacking: '你登录所用的密钥没有此权限。',
  tenantWide: '限定数据集的密钥不能有此权限。',
  expires: '到期',
  lifetimes: { '1d': '一天后', '30d': '30 天后', '90d': '90 天后', '365d': '一年后' },
  noExpiry: '永不',
  likeOwn: '与你登录所用的密钥相同',
  onDay: '指定时间',
  time: '时间',
  submit: '创建',
  cancel: '取消',
};
