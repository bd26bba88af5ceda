import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.js';

test.each([
  ['damage', 'damage', 0],
  ['damge', 'damage', 1],
  ['dammage', 'damage', 1],
  ['demage', 'damage', 1],
  ['damaeg', 'damage', 1],
  ['adamge', 'damage', 2],
  ['dmaaeg', 'damage', 2],
  ['propretty', 'property', 2],
  ['ca', 'abc', 3],
])('%s and %s are %d apart', (a, b, distance) => {
  expect([editDistance(a, b, 3), editDistance(b, a, 3)]).toEqual([distance, distance]);
});

/** The definition, without bounds. */
function slowly(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + change);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}

test('words that are further apart than asked are said to be, all others exactly', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 9 });
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, most) => {
      const distance = slowly(a, b);
      const found = editDistance(a, b, most);
      if (distance <= most) expect(found).toBe(distance);
      else expect(found).toBeGreaterThan(most);
    }),
    { numRuns: 3_000 },
  );
});
