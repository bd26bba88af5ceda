import { describe, expect, it } from 'vitest';
import { onlyPage, parseBytes } from '../../../test/support/parse.js';
import { damaged, zipOf } from '../../../test/support/zip.js';
import { TextBudget } from '../../text-budget.js';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const text = (content: string) => `<w:r><w:t>${content}</w:t></w:r>`;
const paragraph = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;
const reference = (id: number) => `<w:r><w:commentReference w:id="${id}"/></w:r>`;
const comment = (id: number, attributes: string, ...paragraphs: string[]) =>
  `<w:comment w:id="${id}" ${attributes}>${paragraphs.map((one) => paragraph(text(one))).join('')}</w:comment>`;
const COMMENTS = `<w:comments ${W}>${comment(0, 'w:author="Ada Byron"', 'Since when?', 'Ask  them.')}${comment(7, '', 'Doubled.')}${comment(8, '')}</w:comments>`;
const BODY =
  paragraph('<w:commentRangeStart w:id="0"/>', text('A fee is due'), '<w:commentRangeEnd w:id="0"/>') +
  paragraph(text('It is '), text('40 €'), reference(0), reference(8), text(' a day.')) +
  `<w:tbl><w:tr><w:tc>${paragraph(text('a'))}</w:tc><w:tc>${paragraph(text('b'), reference(7), reference(7))}</w:tc></w:tr>` +
  `<w:tr><w:tc>${paragraph(text('c'))}</w:tc><w:tc>${paragraph(text('d'))}</w:tc></w:tr></w:tbl>` +
  paragraph(text('End.'), reference(99));

const wordOf = (comments: string, body = BODY) =>
  zipOf({
    '[Content_Types].xml': TYPES,
    'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
    'word/comments.xml': comments,
  });
const table = '| a | b |\n| --- | --- |\n| c | d |';

describe('comments on Word documents', () => {
  it('come after the paragraph or the table that they are on', async () => {
    const { pages } = await parseBytes(wordOf(COMMENTS));
    expect(pages).toEqual(
      onlyPage(
        'A fee is due\n\nIt is 40 € a day.\n\n[Comment by Ada Byron: Since when? Ask them.]\n\n' +
          `${table}\n\n[Comment: Doubled.]\n\nEnd.`,
      ),
    );
  });

  it('are left out on demand', async () => {
    const { pages } = await parseBytes(wordOf(COMMENTS), { comments: false });
    expect(pages).toEqual(onlyPage(`A fee is due\n\nIt is 40 € a day.\n\n${table}\n\nEnd.`));
  });

  it.each([
    ['no XML', wordOf('gone')],
    ['cut off', wordOf(`<w:comments ${W}>`)],
    ['nested too deep', wordOf('<w:comments><w:comment w:id="0">'.repeat(1000))],
    ['a damaged entry', damaged(wordOf(COMMENTS), 'word/comments.xml')],
  ])('cost nothing else where their part is %s', async (_, bytes) => {
    const warnings: unknown[] = [];
    const { pages } = await parseBytes(bytes, { warn: (...warning) => warnings.push(warning) });
    expect(pages).toEqual(onlyPage(`A fee is due\n\nIt is 40 € a day.\n\n${table}\n\nEnd.`));
    expect(warnings).toEqual([['unreadable_parts', { name: 'word/comments.xml' }]]);
  });

  it('are read once each, however often they are referred to', async () => {
    const long = `<w:comments ${W}>${comment(0, '', 'n'.repeat(50_000))}</w:comments>`;
    const bytes = wordOf(long, paragraph(text('a'), reference(0)).repeat(1000));
    const { pages } = await parseBytes(bytes, { textBudget: new TextBudget(100_000) });
    expect(pages[0]?.markdown.length).toBeLessThan(60_000);
  });
});
