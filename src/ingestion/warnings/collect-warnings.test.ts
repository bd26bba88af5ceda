import type { Warn } from '@lectern/file-to-markdown';
import { expect, it } from 'vitest';
import { collectWarnings } from './collect-warnings.js';
import { documentWarnings } from './document-warnings.js';

function collect(report: (warn: Warn) => void) {
  const { warn, list } = collectWarnings();
  report(warn);
  return documentWarnings.parse(JSON.parse(JSON.stringify(list())));
}
const warning = (code: string, fields: object) => ({
  code,
  file: null,
  pages: [],
  pageCount: 0,
  names: [],
  nameCount: 0,
  ...fields,
});

it('gives pages as ranges, ascending and each once', () => {
  const warnings = collect((warn) => {
    for (const page of [9, 3, 7, 8, 3, 0, -1, 1.5, Number.NaN]) warn('pages_without_text', { page });
  });
  const pages = [
    { from: 3, to: 3 },
    { from: 7, to: 9 },
  ];
  expect(warnings).toEqual([warning('pages_without_text', { pages, pageCount: 4 })]);
});

it('lists losses within files apart, after those of the file itself', () => {
  const warnings = collect((warn) => {
    warn('unreadable_pages', { page: 2, file: 'scan.pdf' });
    warn('unreadable_attachments', { name: 'a.bin' });
    warn('unreadable_attachments', { name: 'a.bin' });
    warn('unreadable_pages', { page: 1 });
  });
  expect(warnings).toEqual([
    warning('unreadable_pages', { pages: [{ from: 1, to: 1 }], pageCount: 1 }),
    warning('unreadable_attachments', { names: ['a.bin'], nameCount: 2 }),
    warning('unreadable_pages', { file: 'scan.pdf', pages: [{ from: 2, to: 2 }], pageCount: 1 }),
  ]);
});

it('cleans names', () => {
  const names = ['a\u0000\n\tb\u202e.txt', '\ud83d', ' \u0007 ', `${'x'.repeat(199)}😀`];
  const [warned] = collect((warn) => {
    for (const name of names) warn('unreadable_parts', { name });
  });
  expect(warned).toEqual(
    warning('unreadable_parts', { names: ['a b .txt', '\ufffd', `${'x'.repeat(199)}\ufffd`], nameCount: 4 }),
  );
});

it('keeps within the bounds of what is stored, whatever is reported', () => {
  const warnings = collect((warn) => {
    for (let i = 1; i <= 1_000; i++) {
      warn('sections_left_out', { name: `"\\`.repeat(i) });
      warn('unreadable_attachments', { name: `${i}` });
      for (const code of ['unreadable_pages', 'unknown_characters', 'pages_without_text'] as const) {
        warn(code, { page: 2 * i });
        warn(code, { page: 2 * i, name: `${i}`, file: `${i} ${'\\'.repeat(i)}` });
      }
    }
  });
  const ranges = warnings.flatMap(({ pages }) => pages);
  expect(ranges).toHaveLength(500);
  expect(warnings.filter(({ file }) => file === null).map(({ pageCount }) => pageCount)).toEqual([
    1_000, 1_000, 1_000, 0, 0,
  ]);
  expect(warnings.filter(({ file }) => file !== null)).toHaveLength(10);
  expect(warnings.find(({ code }) => code === 'unreadable_attachments')).toMatchObject({ nameCount: 1_000 });
});

it.each([
  ['no list', {}],
  ['an unknown code', [warning('lost', {})]],
  ['a control character', [warning('unreadable_parts', { names: ['a\u0000'] })]],
  ['a page that is none', [warning('unreadable_pages', { pages: [{ from: 0, to: 1 }] })]],
  ['too many', Array.from({ length: 17 }, () => warning('unreadable_pages', {}))],
  [
    'too much',
    Array.from({ length: 16 }, () => warning('unreadable_parts', { names: Array(20).fill('x'.repeat(200)) })),
  ],
])('what a process gives is refused with %s', (_, given) => {
  expect(documentWarnings.safeParse(given).success).toBe(false);
});
