import type { Services } from '../../routers/index.js';
import { DEMO } from './demo-tenant.js';

/** One text of each type that is told apart by its content. */
const DOCUMENTS = [
  {
    id: 'demo-returns',
    documentType: 'UnstructuredFile',
    documentName: 'returns.md',
    title: 'Returns and refunds',
    documentContent: `# Returns and refunds

## Deadline

Goods can be returned within 30 days of delivery. The day of delivery does not count.

## Shipping costs

We pay for the way back when the goods are damaged or wrong. In all other cases the customer pays.

## Refund

The refund goes to the means of payment that was used for the order, three to five working days after the parcel
has reached our warehouse.

| Condition | Refund |
| --- | --- |
| Unused, with packaging | 100 % |
| Unused, without packaging | 90 % |
| Used | after inspection |
`,
  },
  {
    id: 'demo-warranty',
    documentType: 'UnstructuredWebpage',
    documentName: 'warranty.html',
    title: 'Warranty',
    documentContent: `<!doctype html>
<html lang="en">
  <head><title>Warranty</title></head>
  <body>
    <nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
    <article>
      <h1>Warranty</h1>
      <p>Every device carries a warranty of two years. The battery is covered for twelve months.</p>
      <h2>Making a claim</h2>
      <p>Keep the receipt. A photo of it is enough to open a claim, and a repair takes about ten days.</p>
      <p>Damage by water is not covered, unless the device is sold as waterproof.</p>
    </article>
    <footer>All prices include tax.</footer>
  </body>
</html>
`,
  },
  {
    id: 'demo-prices',
    documentType: 'StructuredFile',
    documentName: 'plans.csv',
    title: 'Plans and prices',
    documentContent: `plan,price per month,seats,support
Starter,9,1,by e-mail
Team,49,10,by e-mail and chat
Business,199,50,by telephone around the clock
`,
  },
  {
    id: 'demo-opening-hours',
    documentType: 'UnstructuredFile',
    documentName: 'opening-hours.txt',
    title: 'Opening hours',
    documentContent: `Our shops are open from Monday to Saturday, from nine in the morning until eight in the evening.

On public holidays all shops are closed. The hotline answers on every day of the year, from seven to midnight.
`,
  },
  {
    id: 'demo-returns-zh',
    documentType: 'UnstructuredFile',
    documentName: '退货说明.md',
    title: '退货说明',
    documentContent: `# 退货说明

商品签收后三十天内可以无理由退货。退货时请保持商品完好，并附上原包装。

## 运费

商品损坏或发错货时，退货运费由我们承担；其他情况由顾客承担。

## 退款

仓库收到包裹后三到五个工作日内，款项将退回原支付方式。
`,
  },
] as const;

/**
 * Documents of several types in one dataset, made as a caller would make them.
 *
 * @returns how many were added
 */
export async function seedDocuments({ documents }: Pick<Services, 'documents'>): Promise<number> {
  const { tenantId, tenantUnitId, datasetId } = DEMO;
  const present = await documents.getMany({
    scope: { tenantId },
    documentIds: DOCUMENTS.map(({ id }) => id),
  });
  const known = new Set(present.map(({ id }) => id));
  const missing = DOCUMENTS.filter(({ id }) => !known.has(id));
  for (const document of missing) {
    await documents.create(
      { scope: { tenantId, tenantUnitId }, datasetIds: [datasetId], ...document },
      { userId: undefined },
    );
  }
  return missing.length;
}
