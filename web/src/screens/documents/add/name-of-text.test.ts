import { expect, test } from 'vitest';
import { nameOfText } from './name-of-text';

test.each([
  ['\n\n## **Returns** and `refunds`\n\nWithin 30 days.', 'Returns and refunds'],
  [
    '- See [the prices](https://example.com/prices) of follow-up orders',
    'See the prices of follow-up orders',
  ],
  ['# 退货与退款', '退货与退款'],
  [`${'word '.repeat(30)}`, `${'word '.repeat(12)}`.trim()],
  ['---\n\n', ''],
  ['', ''],
])('a text that begins %j is proposed as %j', (content, name) => {
  expect(nameOfText(content)).toBe(name);
});
