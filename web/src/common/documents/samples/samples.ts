/** Documents of a shop that does not exist, in two languages, to try searches on. */
export const SAMPLES = [
  {
    name: 'Returns and refunds.md',
    text: `# Returns and refunds

## How long you have

You can send back anything within 30 days of the day it reached you. Seasonal goods that you bought in November or December can come back until the end of January.

## What it costs

We pay the postage for returns within the country. From abroad you pay it yourself, unless the article was damaged or was not the one you had ordered.

## When the money comes

We refund the price and the cheapest delivery within five working days of the parcel's arrival, to the card or account you paid with.`,
  },
  {
    name: 'Opening hours and pick-up.md',
    text: `# Opening hours and pick-up

The workshop is open from Tuesday to Saturday, from 9:30 to 18:00. It is closed on Mondays, on public holidays, and in the last week of July.

Orders that are placed before noon are ready to be picked up from three in the afternoon of the same day. Bring the order number; a photograph of it is enough. We keep an order for ten days, and then send a reminder.`,
  },
  {
    name: 'Care of wooden furniture.md',
    text: `# Care of wooden furniture

Dust with a dry cloth. Wipe off spilled water at once, for it leaves pale rings on oiled wood.

Oil table tops twice a year: spread a thin film along the grain, wait twenty minutes, and rub off what has not been taken in. Oily rags can catch fire by themselves, so let them dry spread out in the open air.

Keep furniture a hand's breadth from radiators. Very dry air in winter makes solid wood shrink, and joints may open.`,
  },
  {
    name: '退货与退款.md',
    text: `# 退货与退款

## 期限

商品送达后三十天内可以退货。十一月和十二月购买的节日商品，可以在次年一月底之前退回。

## 费用

国内退货的邮费由我们承担。从国外退货时邮费自理，但商品损坏或发错货的情况除外。

## 退款时间

收到包裹后五个工作日内，我们会把货款和最低一档的运费退回您付款时使用的银行卡或账户。`,
  },
  {
    name: '营业时间与自提.md',
    text: `# 营业时间与自提

工坊每周二至周六营业，时间为上午九点半到下午六点。周一、法定节假日以及七月最后一周不营业。

中午之前下的订单，当天下午三点以后可以自提。请带上订单号，拍照也可以。订单为您保留十天，之后我们会发送提醒。`,
  },
  {
    name: '木制家具的保养.md',
    text: `# 木制家具的保养

平时用干布除尘。水洒在桌面上要马上擦干，否则上过油的木材会留下浅色的水印。

桌面每年上油两次：顺着木纹薄薄地涂一层，等二十分钟，再把没有吸收的油擦掉。沾油的抹布可能自燃，请摊开晾干。

家具与暖气片之间至少留出一掌宽的距离。冬天空气太干燥，实木会收缩，榫接处可能开裂。`,
  },
] as const;

/** Questions that the samples answer. */
export const QUESTIONS = {
  en: 'Who pays the postage when I send something back?',
  zh: '退货的邮费由谁承担？',
};
