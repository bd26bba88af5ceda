import { describe, expect, it } from 'vitest';
import { fixture, onlyPage, parseBytes, parseFixture } from '../../../test/support/parse.js';

describe('Word', () => {
  it('keeps headings and tables', async () => {
    expect(await parseFixture('headings.docx', { fileName: 'misnamed.txt' })).toEqual({
      subType: 'docx',
      mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      title: 'Harbour rules',
      pages: onlyPage(
        '# Harbour rules\n\nShips report an hour before they arrive.\n\n## Fees\n\n' +
          '| Length | Fee |\n| --- | --- |\n| under 10 m | 40 € |\n| 10 m and more | 75 € |\n\n港口费在到达时支付。',
      ),
    });
  });

  it('unwraps tables around tables', async () => {
    const { pages } = await parseFixture('tables.docx');
    expect(pages[0]?.markdown).toContain(
      '| Header Col 1 | Header Col 2 |\n| --- | --- |\n| Lorem ipsum | A link example |',
    );
    expect(pages[0]?.markdown).toContain('| e | f |\n| --- | --- |\n| g&t | h |');
  });

  it('refuses one that unpacks to too much, before it does', async () => {
    await expect(parseFixture('bomb.docx')).rejects.toMatchObject({ code: 'too_large' });
  });

  it('refuses one that is cut off', async () => {
    const bytes = (await fixture('tables.docx')).subarray(0, 6000);
    await expect(parseBytes(bytes, { fileName: 'tables.docx' })).rejects.toMatchObject({ code: 'corrupt' });
  });
});
