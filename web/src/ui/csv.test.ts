import { expect, test } from 'vitest';
import { toCsv } from './csv';

test('texts are quoted where they must be, and are never formulas', () => {
  const rows = [
    ['Name', 'Chunks', 'Enabled', 'Error'],
    ['a, "b"\nc', 12, true, null],
    ['=HYPERLINK("x")', -1, false, undefined],
    ['@sum', 0, true, '合同'],
  ];
  expect(toCsv(rows)).toBe(
    '\uFEFFName,Chunks,Enabled,Error\r\n' +
      '"a, ""b""\nc",12,true,\r\n' +
      '"\'=HYPERLINK(""x"")",-1,false,\r\n' +
      "'@sum,0,true,合同\r\n",
  );
});
