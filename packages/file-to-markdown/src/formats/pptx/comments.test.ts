import { describe, expect, it } from 'vitest';
import { parseWith } from '../../../test/support/parse-with.js';
import { damaged, zipOf } from '../../../test/support/zip.js';
import type { ParseInput } from '../../types.js';
import { parsePptx } from './parse-pptx.js';

const relations = (...all: [type: string, target: string][]) =>
  `<Relationships>${all
    .map(
      ([type, target], index) => `<Relationship Id="r${index}" Type="http://x/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;
const paragraph = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
const slide = (text: string, attributes = '') =>
  `<p:sld ${attributes}><p:cSld><p:spTree><p:sp><p:txBody>${text && paragraph(text)}</p:txBody></p:sp></p:spTree></p:cSld></p:sld>`;
const body = (...texts: string[]) => `<p188:txBody>${texts.map(paragraph).join('')}</p188:txBody>`;

const PARTS = {
  'ppt/presentation.xml':
    '<p:presentation><p:sldIdLst><p:sldId r:id="r0"/><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>',
  'ppt/_rels/presentation.xml.rels': relations(
    ['slide', 'slides/old.xml'],
    ['slide', 'slides/new.xml'],
    ['commentAuthors', 'commentAuthors.xml'],
    ['authors', 'authors.xml'],
  ),
  'ppt/commentAuthors.xml': '<p:cmAuthorLst><p:cmAuthor id="1" name="Ada Byron"/></p:cmAuthorLst>',
  'ppt/authors.xml': '<p188:authorLst><p188:author id="{E}" name="Eva"/></p188:authorLst>',
  'ppt/slides/old.xml': slide('Fees'),
  'ppt/slides/new.xml': slide('', 'show="0"'),
  'ppt/slides/_rels/old.xml.rels': relations(['comments', '../comments/comment1.xml']),
  'ppt/slides/_rels/new.xml.rels': relations(['comments', '../comments/modernComment_1_0.xml']),
  'ppt/comments/comment1.xml':
    '<p:cmLst><p:cm authorId="1"><p:pos x="1" y="2"/><p:text>Since\nwhen?</p:text></p:cm><p:cm authorId="9"><p:text>Nobody knows.</p:text></p:cm></p:cmLst>',
  'ppt/comments/modernComment_1_0.xml':
    `<p188:cmLst><p188:cm authorId="{E}"><p188:replyLst><p188:reply authorId="{X}">${body('Yes.')}</p188:reply></p188:replyLst>` +
    `${body('Shown', 'last year?')}</p188:cm></p188:cmLst>`,
};

const markdownOf = async (bytes: Buffer, hints: Partial<ParseInput> = {}) =>
  (await parseWith(parsePptx, bytes, hints)).pages.map(({ markdown }) => markdown);

describe('comments on slides', () => {
  it('come after the slide, with their replies', async () => {
    expect(await markdownOf(zipOf(PARTS))).toEqual([
      'Fees\n\n[Comment by Ada Byron: Since when?]\n\n[Comment: Nobody knows.]',
      '(hidden slide)\n\n[Comment by Eva: Shown last year?]\n\n[Comment: Yes.]',
    ]);
  });

  it('are left out on demand', async () => {
    expect(await markdownOf(zipOf(PARTS), { comments: false })).toEqual(['Fees', '']);
  });

  it('cost nothing else where their part is damaged', async () => {
    const warnings: unknown[] = [];
    const bytes = damaged(
      zipOf({ ...PARTS, 'ppt/comments/modernComment_1_0.xml': 'gone' }),
      'ppt/comments/comment1.xml',
    );
    const hints: Partial<ParseInput> = { warn: (...warning) => warnings.push(warning) };
    expect(await markdownOf(bytes, hints)).toEqual(['Fees', '']);
    expect(warnings).toEqual([
      ['unreadable_parts', { name: 'ppt/comments/comment1.xml' }],
      ['unreadable_parts', { name: 'ppt/comments/modernComment_1_0.xml' }],
    ]);
  });
});
