import { describe, expect, it } from 'vitest';
import { type ChunkingOptions, joinPages, type Page, type Piece, splitPages } from './split.js';

const one = (markdown: string): Page[] => [{ number: 1, markdown }];
const split = async (pages: Iterable<Page>, options?: ChunkingOptions): Promise<Piece[]> => {
  const pieces: Piece[] = [];
  for await (const piece of splitPages(pages, options)) pieces.push(piece);
  return pieces;
};
const texts = (pieces: Piece[]) => pieces.map(({ text }) => text);

describe('sections', () => {
  it('starts a piece at each heading and gives it the path of its section', async () => {
    const pieces = await split(
      one('# Guide\n\n## Install\n\nRun it.\n\n## Use\n\nOpen it.\n\n# Notes\n\nNone.'),
    );
    expect(pieces.map(({ text, headings }) => ({ text, headings }))).toEqual([
      { text: '# Guide\n\n## Install\n\nRun it.', headings: ['Guide', 'Install'] },
      { text: '## Use\n\nOpen it.', headings: ['Guide', 'Use'] },
      { text: '# Notes\n\nNone.', headings: ['Notes'] },
    ]);
  });

  it('knows underlined headings, and strips emphasis and closing marks from titles', async () => {
    const pieces = await split(one('Title\n=====\n\nText.\n\n## **Bold** part ##\n\nMore.'));
    expect(pieces.map(({ headings }) => headings)).toEqual([['Title'], ['Title', 'Bold part']]);
  });

  it('takes no heading from a code block', async () => {
    const [piece] = await split(one('```sh\n# not a heading\n```'));
    expect(piece).toMatchObject({ headings: [], tableHead: '', text: '```sh\n# not a heading\n```' });
  });
});

describe('sentences', () => {
  it('ends pieces at sentences and repeats whole ones', async () => {
    const pieces = await split(
      one('Alpha beta gamma. Dr. Jones paid $3.50 to J. Smith. Short one. The end is here now.'),
      {
        size: 65,
        overlap: 12,
      },
    );
    expect(texts(pieces)).toEqual([
      'Alpha beta gamma. Dr. Jones paid $3.50 to J. Smith. Short one.',
      'Short one. The end is here now.',
    ]);
  });

  it('splits Chinese at its own marks', async () => {
    const pieces = await split(one('第一句话在这里。第二句话问你吗？第三句话！“他说好。”最后一句；完。'), {
      size: 20,
      overlap: 0,
    });
    expect(texts(pieces)).toEqual(['第一句话在这里。第二句话问你吗？', '第三句话！“他说好。”最后一句；完。']);
  });

  it.each([
    ['Siehe z. B. Abs. 3 und Dr. Ernst. Am 3. Mai war Schluss.', 'Siehe z. B. Abs. 3 und Dr. Ernst.'],
    ['El Sr. Ruiz y la Sra. Paz, p. ej. Ana. Luego nada más hubo.', 'El Sr. Ruiz y la Sra. Paz, p. ej. Ana.'],
    ['Voir M. Dupont, cf. Art. 5 ici. Ensuite plus rien de tout.', 'Voir M. Dupont, cf. Art. 5 ici.'],
    [
      'Wait ... for it, see https://a.b/c.d now. Then go on further.',
      'Wait ... for it, see https://a.b/c.d now.',
    ],
    [
      '彼は「行く。」と言った。それから……何もなかった。そして終わりだ。',
      '彼は「行く。」と言った。それから……何もなかった。',
    ],
    [
      '他说：“走吧！”（真的？）然后呢……他走了。最后一句话在这里结束。',
      '他说：“走吧！”（真的？）然后呢……他走了。',
    ],
  ])('ends a piece at a sentence of %s', async (text, first) => {
    const [piece] = await split(one(text), { size: text.length - 4, overlap: 0 });
    expect(piece?.text).toBe(first);
  });

  it('keeps list items whole', async () => {
    const list = '- first item of the list\n- second item of the list\n- third item';
    expect(texts(await split(one(list), { size: 52, overlap: 0 }))).toEqual([
      '- first item of the list\n- second item of the list',
      '- third item',
    ]);
  });

  it('cuts a word longer than a piece, but never a surrogate pair', async () => {
    const pieces = await split(one('😀'.repeat(10)), { size: 7, overlap: 0 });
    expect(texts(pieces)).toEqual(['😀😀😀', '😀😀😀', '😀😀😀', '😀']);
  });
});

describe('tables and code', () => {
  it('repeats the header of a table that continues', async () => {
    const head = '| Name | Wins |\n| --- | --- |';
    const pieces = await split(
      one(`# Cups\n\n${head}\n| Blues | 1 |\n| Flyers | 2 |\n| Maple Leafs | 13 |`),
      {
        size: 64,
        overlap: 20,
      },
    );
    expect(pieces.map(({ text, tableHead }) => ({ text, tableHead }))).toEqual([
      { text: `# Cups\n\n${head}\n| Blues | 1 |`, tableHead: '' },
      { text: '| Flyers | 2 |\n| Maple Leafs | 13 |', tableHead: head },
    ]);
  });

  it.each([
    ['~~~~~\n\nCHAPTER I\n\nText.\n\n# End', 'an ornament'],
    ['~~~ Chapter I ~~~\n\nText.\n\n# End', 'an ornament with words'],
    ['~~~~~\n\nText.\n\n~~~~~\n\n# End\n\n~~~~~', 'ornaments between paragraphs'],
    ['Part\n```\nText.\n\n# End', 'a bare fence that nothing closes'],
    [`~~~\n${'Text.\n'.repeat(300)}\n# End\n\n~~~`, 'a bare fence closed far below'],
    ['```code``` in a line.\n\n# End', 'code within a line'],
  ])('sees the headings after %j, %s', async (markdown) => {
    expect((await split(one(markdown))).at(-1)?.headings).toEqual(['End']);
  });

  it.each([
    '```\n\n# no heading\n```',
    '~~~\n# no heading\n~~~',
    '```sh\n# no heading',
    '~~~ sh\n\n# no heading',
  ])('takes %j for code', async (markdown) =>
    expect((await split(one(markdown))).map(({ headings }) => headings)).toEqual([[]]),
  );

  it('moves a code block that fits into a piece of its own', async () => {
    const code = '```js\nconst a = 1;\n  indented();\n```';
    expect(texts(await split(one(`Some words before it.\n\n${code}`), { size: 40 }))).toEqual([
      'Some words before it.',
      code,
    ]);
  });

  it('cuts a long code block between lines and keeps indentation', async () => {
    const pieces = await split(one('```\nfirst line\n  second line\n  third line\n```'), {
      size: 30,
      overlap: 10,
    });
    expect(texts(pieces)).toEqual(['```\nfirst line\n  second line', '  third line\n```']);
  });
});

describe('pages', () => {
  it('keeps pages apart', async () => {
    const pieces = await split([
      { number: 1, markdown: 'First page.' },
      { number: 2, markdown: '' },
      { number: 3, markdown: 'Third page.' },
    ]);
    expect(pieces.map(({ text, page }) => ({ text, page }))).toEqual([
      { text: 'First page.', page: 1 },
      { text: 'Third page.', page: 3 },
    ]);
  });

  it('finishes a sentence that runs on, and only that, on its first page', async () => {
    const pieces = await split([
      { number: 7, markdown: 'Before it. This sentence is not finished at the end of its' },
      { number: 8, markdown: 'page. Another one follows.' },
    ]);
    expect(pieces.map(({ text, page }) => ({ text, page }))).toEqual([
      { text: 'Before it. This sentence is not finished at the end of its\npage.', page: 7 },
      { text: 'Another one follows.', page: 8 },
    ]);
  });

  it('lets a section go on over pages', async () => {
    const pieces = await split([
      { number: 1, markdown: '# Part\n\nText.' },
      { number: 2, markdown: 'More text.' },
    ]);
    expect(pieces.map(({ headings }) => headings)).toEqual([['Part'], ['Part']]);
  });
});

describe('the end of a section', () => {
  it('balances the last two pieces of a section when the last would be tiny', async () => {
    const sentence = 'This sentence has just forty characters. ';
    const pieces = await split(one(sentence.repeat(6)), { size: 210, overlap: 0 });
    expect(pieces.map(({ text }) => text.length)).toEqual([122, 122]);
  });

  it('keeps headings and table headers with what follows', async () => {
    const long = `${'word '.repeat(12)}and, ${'word '.repeat(8)}end.`;
    const [piece] = await split(one(`# A heading of some length\n\n${long}`), { size: 110, overlap: 0 });
    expect(piece?.text).toMatch(/^# A heading of some length\n\nword .*and,$/);

    const table = '| Name | Wins |\n| --- | --- |\n| Maple Leafs of Toronto | 13 |';
    expect(texts(await split(one(`Some words before.\n\n${table}`), { size: 62, overlap: 0 }))).toEqual([
      'Some words before.',
      table,
    ]);
  });

  it('keeps a heading at the foot of a page with its text', async () => {
    const pages = [
      { number: 1, markdown: '# One\n\nText.\n\n# Two' },
      { number: 2, markdown: 'More.' },
    ];
    expect((await split(pages)).map(({ text, page }) => ({ text, page }))).toEqual([
      { text: '# One\n\nText.', page: 1 },
      { text: '# Two\n\nMore.', page: 1 },
    ]);
  });

  it('makes a piece of a page that holds only headings', async () => {
    const pages = [
      { number: 1, markdown: '# Guide\n\n## For everybody' },
      { number: 2, markdown: '# Contents' },
      { number: 3, markdown: 'Text.' },
    ];
    expect((await split(pages)).map(({ text, page }) => ({ text, page }))).toEqual([
      { text: '# Guide\n\n## For everybody', page: 1 },
      { text: '# Contents', page: 2 },
      { text: 'Text.', page: 3 },
    ]);
  });

  it('repeats the last clause of a sentence that is too long to repeat', async () => {
    const text =
      'A sentence that is rather long for an overlap, but has a clause. Another one follows it here.';
    expect(texts(await split(one(text), { size: 66, overlap: 20 }))).toEqual([
      'A sentence that is rather long for an overlap, but has a clause.',
      'but has a clause. Another one follows it here.',
    ]);
  });

  it('takes no address and no time apart for a clause', async () => {
    const text =
      'All of this was produced by volunteers at https://www.pgdp.net at 10:30. They went on after that.';
    expect(texts(await split(one(text), { size: 80, overlap: 30 }))).toEqual([
      'All of this was produced by volunteers at https://www.pgdp.net at 10:30.',
      'They went on after that.',
    ]);
  });

  it.each([
    ['He said “I will (perhaps), and (soon) ; then go. . . .” And that was all of it.', 60, 30],
    ['Le prix ; la date : tout est dit , sans fin ; rien ne manque ici', 24, 10],
    ['他说“走吧，”然后就走了“真的，”没有人知道他去了哪里。”', 12, 6],
    ['一二三四五六七八九十，一二三四五六七八九十）。', 10, 0],
  ])('begins no piece with a closing or separating mark: %s', async (text, size, overlap) => {
    const pieces = texts(await split(one(text), { size, overlap }));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.filter((piece) => /^[,;:.，、。：；”）)]/.test(piece))).toEqual([]);
  });
});

describe('parts of one page', () => {
  const stretches = (...parts: string[]): Page[] => parts.map((markdown) => ({ number: 1, markdown }));

  it('packs on across them', async () => {
    expect(texts(await split(stretches('First.', 'Second.')))).toEqual(['First.\n\nSecond.']);
  });

  it('lets a table go on, whose header is in an earlier one', async () => {
    const head = '| Name | Wins |\n| --- | --- |';
    const pages = stretches(`${head}\n| Blues | 1 |`, '| Flyers | 2 |\n| Maple Leafs | 13 |');
    expect(await split(pages, { size: 60 })).toMatchObject([
      { text: `${head}\n| Blues | 1 |`, tableHead: '' },
      { text: '| Flyers | 2 |\n| Maple Leafs | 13 |', tableHead: head },
    ]);
  });

  it('lets code go on', async () => {
    const pieces = await split(stretches('```sh\nls', '# a comment\n```\n\n# A heading'));
    expect(pieces.map(({ headings }) => headings)).toEqual([[], ['A heading']]);
  });
});

describe('separators', () => {
  const at = async (text: string, separators: string[], size = 100) =>
    texts(await split(one(text), { separators, size, overlap: 0 }));

  it('cuts at the first one wherever it occurs', async () => {
    expect(await at('One.\n\n# Title\n\nTwo.\n\n---\n\nThree.', ['---'])).toEqual([
      'One.\n\n# Title\n\nTwo.\n\n---',
      'Three.',
    ]);
    expect(await at('甲。乙。丙', ['。'])).toEqual(['甲。', '乙。', '丙']);
  });

  it('begins a part with a separator that begins a line', async () => {
    expect(await at('Intro.\n## A\ntext\n## B\ntext', ['\n## '])).toEqual([
      'Intro.',
      '## A\ntext',
      '## B\ntext',
    ]);
  });

  it('cuts at the next ones only what is too long, and packs what they part', async () => {
    const text = 'aaa;bbb;ccc\n---\naaaa;bbbb;cccc;dddd';
    expect(await at(text, ['---', ';'], 15)).toEqual(['aaa;bbb;ccc\n---', 'aaaa;bbbb;cccc;', 'dddd']);
  });

  it('takes no delimiter row for a line of marks', async () => {
    const table = '| A | B |\n| --- | --- |\n| 1 | 2 |';
    expect(await at(table, ['---'])).toEqual([table]);
  });
});

describe('invariants', () => {
  it('keeps cap, order and every character, whatever the text', async () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = generator(seed);
      const pages = Array.from({ length: 1 + random(4) }, (_, index) => ({
        number: seed % 3 ? index + 1 : 1,
        markdown: randomMarkdown(random),
      }));
      const size = 2 + random(seed % 2 ? 40 : 400);
      const separators = [[], [], ['---'], ['\n## ', '。'], ['。', ' ', '|']][random(5)];
      const options = { size, overlap: random(100), separators };
      const pieces = await split(pages, options);
      expectInvariants(pages, pieces, size);
      expect(await split(pages, options)).toEqual(pieces);
    }
  });
});

// What takes more than linear time runs into the time limit of a test.
describe('hostile text', () => {
  const long: [string, string][] = [
    ['a line without spaces', 'x'.repeat(1_000_000)],
    ['full stops', '.'.repeat(1_000_000)],
    ['blanks in prose', `a${' '.repeat(1_000_000)}b`],
    ['blanks in code', `\`\`\`\n${' '.repeat(1_000_000)}b\n\`\`\``],
    ['pipes', '| '.repeat(500_000)],
    ['headings', '# a\n'.repeat(250_000)],
    ['line breaks', `a${'\n'.repeat(1_000_000)}b`],
    ['unclosed fences', '```\n~~~\n'.repeat(125_000)],
    ['underlines', '---\n'.repeat(250_000)],
    ['list marks', '- \n'.repeat(300_000)],
  ];
  it.each(long)('a megabyte of %s', async (_, text) => {
    const pieces = await split(one(text));
    expectInvariants(one(text), pieces, 1000);
  });
});

function expectInvariants(pages: Page[], pieces: Piece[], size: number): void {
  const text = joinPages(pages);
  const problems: string[] = [];
  let covered = 0;
  let previousStart = -1;
  for (const piece of pieces) {
    if (piece.text.length > size) problems.push(`longer than ${size}: ${piece.text.length}`);
    if (piece.text !== text.slice(piece.start, piece.end)) problems.push(`not a slice: ${piece.text}`);
    if (!piece.text.isWellFormed()) problems.push(`surrogate pair cut: ${piece.text}`);
    if (piece.start <= previousStart || piece.end <= covered) problems.push(`out of order at ${piece.start}`);
    if (text.slice(covered, piece.start).trim()) problems.push(`lost: ${text.slice(covered, piece.start)}`);
    previousStart = piece.start;
    covered = piece.end;
  }
  if (text.slice(covered).trim()) problems.push(`lost at the end: ${text.slice(covered)}`);
  expect(problems).toEqual([]);
}

/** Deterministic numbers in [0, bound) (mulberry32). */
function generator(seed: number): (bound: number) => number {
  let state = seed + 0x6d2b79f5;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

function randomMarkdown(random: (bound: number) => number): string {
  const atoms = [
    ...[
      'word ',
      'Sentence ends. ',
      'e.g. ',
      'Dr. Who? ',
      '中文句子。',
      '汉字',
      '！',
      '😀',
      '\n',
      '\n\n',
      '\t',
      '   ',
    ],
    ...[
      '# Heading\n',
      '## Sub ##\n',
      '\n===\n',
      '---\n',
      '```\n',
      '~~~\n',
      '| a | b |\n',
      '|---|---|\n',
      '- item\n',
    ],
    '1. one\n',
    '> quote\n',
    'x'.repeat(30),
    '\u00a0',
    '\u3000',
    '...',
    '”',
    '，',
    '  code();\n',
    '|',
  ];
  return Array.from({ length: random(120) }, () => atoms[random(atoms.length)]).join('');
}
