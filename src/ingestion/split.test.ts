import { describe, expect, it } from 'vitest';
import { joinPages, type Page, type Piece, split } from './split.js';

const one = (markdown: string): Page[] => [{ number: 1, markdown }];
const texts = (pieces: Piece[]) => pieces.map(({ text }) => text);

describe('sections', () => {
  it('starts a piece at each heading and gives it the path of its section', () => {
    const pieces = split(one('# Guide\n\n## Install\n\nRun it.\n\n## Use\n\nOpen it.\n\n# Notes\n\nNone.'));
    expect(pieces.map(({ text, headings, context }) => ({ text, headings, context }))).toEqual([
      {
        text: '# Guide\n\n## Install\n\nRun it.',
        headings: ['Guide', 'Install'],
        context: 'Guide > Install',
      },
      { text: '## Use\n\nOpen it.', headings: ['Guide', 'Use'], context: 'Guide > Use' },
      { text: '# Notes\n\nNone.', headings: ['Notes'], context: 'Notes' },
    ]);
  });

  it('knows underlined headings, and strips emphasis and closing marks from titles', () => {
    const pieces = split(one('Title\n=====\n\nText.\n\n## **Bold** part ##\n\nMore.'));
    expect(pieces.map(({ headings }) => headings)).toEqual([['Title'], ['Title', 'Bold part']]);
  });

  it('takes no heading from a code block', () => {
    const [piece] = split(one('```sh\n# not a heading\n```'));
    expect(piece).toMatchObject({ headings: [], context: '', text: '```sh\n# not a heading\n```' });
  });
});

describe('sentences', () => {
  it('ends pieces at sentences and repeats whole ones', () => {
    const pieces = split(
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

  it('splits Chinese at its own marks', () => {
    const pieces = split(one('第一句话在这里。第二句话问你吗？第三句话！“他说好。”最后一句；完。'), {
      size: 20,
      overlap: 0,
    });
    expect(texts(pieces)).toEqual(['第一句话在这里。第二句话问你吗？', '第三句话！“他说好。”最后一句；完。']);
  });

  it('keeps list items whole', () => {
    const list = '- first item of the list\n- second item of the list\n- third item';
    expect(texts(split(one(list), { size: 52, overlap: 0 }))).toEqual([
      '- first item of the list\n- second item of the list',
      '- third item',
    ]);
  });

  it('cuts a word longer than a piece, but never a surrogate pair', () => {
    const pieces = split(one('😀'.repeat(10)), { size: 7, overlap: 0 });
    expect(texts(pieces)).toEqual(['😀😀😀', '😀😀😀', '😀😀😀', '😀']);
  });
});

describe('tables and code', () => {
  it('carries the header of a table that goes on as context', () => {
    const head = '| Name | Wins |\n| --- | --- |';
    const pieces = split(one(`# Cups\n\n${head}\n| Blues | 1 |\n| Flyers | 2 |\n| Maple Leafs | 13 |`), {
      size: 64,
      overlap: 20,
    });
    expect(pieces.map(({ text, context }) => ({ text, context }))).toEqual([
      { text: `# Cups\n\n${head}\n| Blues | 1 |`, context: 'Cups' },
      { text: '| Flyers | 2 |\n| Maple Leafs | 13 |', context: `Cups\n${head}` },
    ]);
  });

  it('moves a code block that fits into a piece of its own', () => {
    const code = '```js\nconst a = 1;\n  indented();\n```';
    expect(texts(split(one(`Some words before it.\n\n${code}`), { size: 40 }))).toEqual([
      'Some words before it.',
      code,
    ]);
  });

  it('cuts a long code block between lines and keeps indentation', () => {
    const pieces = split(one('```\nfirst line\n  second line\n  third line\n```'), { size: 30, overlap: 10 });
    expect(texts(pieces)).toEqual(['```\nfirst line\n  second line', '  third line\n```']);
  });
});

describe('pages', () => {
  it('keeps pages apart', () => {
    const pieces = split([
      { number: 1, markdown: 'First page.' },
      { number: 2, markdown: '' },
      { number: 3, markdown: 'Third page.' },
    ]);
    expect(pieces.map(({ text, page }) => ({ text, page }))).toEqual([
      { text: 'First page.', page: 1 },
      { text: 'Third page.', page: 3 },
    ]);
  });

  it('finishes a sentence that runs on, and only that, on its first page', () => {
    const pieces = split([
      { number: 7, markdown: 'Before it. This sentence is not finished at the end of its' },
      { number: 8, markdown: 'page. Another one follows.' },
    ]);
    expect(pieces.map(({ text, page }) => ({ text, page }))).toEqual([
      { text: 'Before it. This sentence is not finished at the end of its\npage.', page: 7 },
      { text: 'Another one follows.', page: 8 },
    ]);
  });

  it('lets a section go on over pages', () => {
    const pieces = split([
      { number: 1, markdown: '# Part\n\nText.' },
      { number: 2, markdown: 'More text.' },
    ]);
    expect(pieces.map(({ headings }) => headings)).toEqual([['Part'], ['Part']]);
  });
});

describe('what always holds', () => {
  it('keeps cap, order and every character, whatever the text', () => {
    for (let seed = 0; seed < 300; seed++) {
      const random = generator(seed);
      const pages = Array.from({ length: 1 + random(4) }, (_, index) => ({
        number: index + 1,
        markdown: randomMarkdown(random),
      }));
      const size = 2 + random(seed % 2 ? 40 : 400);
      const options = { size, overlap: random(100) };
      const pieces = split(pages, options);
      expectInvariants(pages, pieces, size);
      expect(split(pages, options)).toEqual(pieces);
    }
  });
});

describe('time', () => {
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
  it.each(long)('a megabyte of %s', (_, text) => {
    const start = performance.now();
    const pieces = split(one(text));
    expect(performance.now() - start).toBeLessThan(2_000);
    expectInvariants(one(text), pieces, 1000);
  });
});

function expectInvariants(pages: Page[], pieces: Piece[], size: number): void {
  const { text } = joinPages(pages);
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
    ...['1. one\n', '> quote\n', 'x'.repeat(30), '\u00a0', '\u3000', '...', '”', '，', '  code();\n', '|'],
  ];
  return Array.from({ length: random(120) }, () => atoms[random(atoms.length)]).join('');
}
