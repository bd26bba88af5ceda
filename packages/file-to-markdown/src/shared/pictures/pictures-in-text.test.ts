import { describe, expect, it } from 'vitest';
import { parseBytes } from '../../../test/support/parse.js';
import { jpegHead, pngOf, tiffHead, webpHead } from '../../../test/support/pictures.js';
import { writePdf } from '../../../test/support/write-pdf.js';
import { zipOf } from '../../../test/support/zip.js';
import { parse } from '../../parse.js';
import { sourceFromBuffer } from '../../source-bytes.js';
import type { ParseInput, Picture, RecognizeAlso } from '../../types.js';

const LARGE = pngOf(400, 100);
const SMALL = pngOf(64, 64);
const ALL: RecognizeAlso = { pictures: true };

/** Parses a file, and tells which pictures were given. */
async function ask(
  file: Uint8Array | string,
  answer: (picture: Picture, index: number) => string[] | undefined = (_, index) => [`(picture ${index})`],
  hints: Partial<ParseInput> = {},
) {
  const asked: unknown[] = [];
  const warnings: unknown[] = [];
  const { pages } = await parseBytes(Buffer.from(file), {
    recognizeAlso: ALL,
    recognize: async (picture) => {
      const { read, ...about } = picture;
      const given = await read();
      asked.push({ ...about, ...('bytes' in given && { type: given.mediaType, bytes: given.bytes.length }) });
      return answer(picture, asked.length);
    },
    warn: (...warning) => warnings.push(warning),
    ...hints,
  });
  return { pages: pages.map(({ number, markdown }) => [number, markdown]), asked, warnings };
}

const inText = (page: number, bytes = LARGE, type = 'image/png') => ({
  page,
  isInText: true,
  type,
  bytes: bytes.length,
});
const relationships = (targets: Record<string, [type: string, target: string]>) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, [type, target]]) => `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`;

describe('pictures in a Word document', () => {
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
  const text = (content: string) => `<w:r><w:t>${content}</w:t></w:r>`;
  const picture = (id: string, description = '') =>
    `<w:r><w:drawing><wp:inline><wp:docPr descr="${description}"/><a:graphic><pic:pic><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphic></wp:inline></w:drawing></w:r>`;
  const paragraph = (...runs: string[]) => `<w:p>${runs.join('')}</w:p>`;
  const item = (label: number, ...runs: string[]) =>
    `<w:p><w:pPr><w:numPr><w:ilvl w:val="${label}"/><w:numId w:val="1"/></w:numPr></w:pPr>${runs.join('')}</w:p>`;
  const level = (index: number) =>
    `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%${index + 1}."/></w:lvl>`;
  const docx = (body: string, media: Record<string, Buffer> = {}) =>
    zipOf({
      '[Content_Types].xml': types,
      'word/document.xml': `<w:document ${W}><w:body>${body}</w:body></w:document>`,
      'word/numbering.xml': `<w:numbering ${W}><w:abstractNum w:abstractNumId="0">${level(0)}${level(1)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
      'word/_rels/document.xml.rels': relationships({
        large: ['image', 'media/large.png'],
        small: ['image', 'media/small.png'],
        drawn: ['image', 'media/drawn.emf'],
        gone: ['image', 'media/gone.png'],
        n: ['numbering', 'numbering.xml'],
      }),
      'word/media/large.png': LARGE,
      'word/media/small.png': SMALL,
      'word/media/drawn.emf': Buffer.alloc(1000, 1),
      ...media,
    });

  const BREAK = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
  const body =
    paragraph(text('Fees '), picture('large', 'A table of the fees'), text(' rise.')) +
    paragraph(picture('small'), picture('drawn'), picture('gone')) +
    BREAK +
    paragraph(text('Next page.'), picture('large')) +
    paragraph(text('The end.'));

  it('are given one for each place, and stand after the paragraph', async () => {
    expect(await ask(docx(body))).toEqual({
      pages: [
        [1, 'Fees A table of the fees rise.\n\n(picture 1)'],
        [2, 'Next page.\n\n(picture 2)\n\nThe end.'],
      ],
      asked: [inText(1), inText(2)],
      warnings: [],
    });
  });

  it('leave the document as it is where they are not read, or not wanted', async () => {
    const list = item(0, text('One'), picture('large')) + item(1, text('Deeper')) + item(0, text('Two'));
    const row = (...cells: string[]) =>
      `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`;
    const table = `<w:tbl>${row(paragraph(text('Name')), paragraph(text('Plan')))}${row(paragraph(text('A')), paragraph(text('see'), picture('large')))}</w:tbl>`;
    const file = docx(body + list + table);
    const unread = await ask(file, () => undefined);
    const { pages } = await parseBytes(file);
    expect(unread.asked).toHaveLength(4);
    expect(unread.pages).toEqual(pages.map(({ number, markdown }) => [number, markdown]));
    expect(await ask(file, undefined, { recognizeAlso: { tables: true, pdfPages: true } })).toMatchObject({
      pages: unread.pages,
      asked: [],
    });
  });

  it('do not end a list', async () => {
    const list = item(0, text('One'), picture('large')) + item(1, text('Deeper')) + item(0, text('Two'));
    expect((await ask(docx(list))).pages).toEqual([[1, '1. One\n\n(picture 1)\n\n  1. Deeper\n2. Two']]);
  });

  it('stand in the cell of a table, on its line', async () => {
    const row = (...cells: string[]) =>
      `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`;
    const table = `<w:tbl>${row(paragraph(text('Name')), paragraph(text('Plan')))}${row(paragraph(text('A')), paragraph(text('see'), picture('large')))}</w:tbl>`;
    const { pages } = await ask(docx(table), () => ['# Ground|floor\n\nTwo rooms']);
    expect(pages).toEqual([[1, '| Name | Plan |\n| --- | --- |\n| A | see # Ground\\|floor Two rooms |']]);
  });

  it('end the parsing where `recognize` throws, before there are pages', async () => {
    const full = new Error('The disk is full.');
    const source = sourceFromBuffer(docx(body));
    const recognize = () => Promise.reject(full);
    await expect(parse({ source, recognize, recognizeAlso: ALL })).rejects.toBe(full);
  });

  it('are text where a document has no other', async () => {
    expect((await ask(docx(paragraph(picture('large'))))).pages).toEqual([[1, '(picture 1)']]);
  });

  it.each([
    ['JPEG', jpegHead(300, 200, 60_000), 'image/jpeg'],
    ['WebP', webpHead(300, 200, 'VP8 '), 'image/webp'],
    ['WebP without loss', webpHead(300, 200, 'VP8L'), 'image/webp'],
    ['WebP with more', webpHead(300, 200, 'VP8X'), 'image/webp'],
    ['TIFF', tiffHead(300, 200, 300_000), 'image/tiff'],
  ])('may be %s', async (_, bytes, type) => {
    const file = docx(paragraph(picture('large')), { 'word/media/large.png': bytes });
    expect((await ask(file)).asked).toEqual([inText(1, bytes, type)]);
  });

  it.each([
    ['JPEG', jpegHead(300, 99)],
    ['WebP', webpHead(199, 200, 'VP8 ')],
    ['WebP without loss', webpHead(99, 2000, 'VP8L')],
    ['TIFF', tiffHead(150, 150)],
    ['JPEG that is cut off', jpegHead(300, 200).subarray(0, 8)],
    ['GIF', Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(100, 0xff)])],
    ['PNG that is damaged', Buffer.from('89504e470d0a1a0a', 'hex')],
  ])('are left out as too small or not readable: %s', async (_, bytes) => {
    const file = docx(paragraph(text('Text'), picture('large')), { 'word/media/large.png': bytes });
    expect(await ask(file)).toEqual({ pages: [[1, 'Text']], asked: [], warnings: [] });
  });

  it('are at most a thousand', async () => {
    const { asked } = await ask(docx(paragraph(text('Text'), picture('large')).repeat(1_001)));
    expect(asked).toHaveLength(1_000);
  });
});

describe('pictures in a presentation', () => {
  const slide = (shapes: string) => `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;
  const shape = (text: string) =>
    `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;
  const picture = (id: string, description = '') =>
    `<p:pic><p:nvPicPr><p:cNvPr descr="${description}"/></p:nvPicPr><p:blipFill><a:blip r:embed="${id}"/></p:blipFill></p:pic>`;
  const filled = '<p:sp><p:spPr><a:blipFill><a:blip r:embed="large"/></a:blipFill></p:spPr></p:sp>';
  const media = {
    large: ['image', '../media/large.png'],
    small: ['image', '../media/small.png'],
    layout: ['slideLayout', '../slideLayouts/slideLayout1.xml'],
  } satisfies Record<string, [string, string]>;
  const pptx = (...slides: string[]) =>
    zipOf({
      '[Content_Types].xml':
        '<Types><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>',
      'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_, index) => `<p:sldId r:id="r${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': relationships(
        Object.fromEntries(
          slides.map((_, index): [string, [string, string]] => [
            `r${index}`,
            ['slide', `slides/slide${index}.xml`],
          ]),
        ),
      ),
      ...Object.fromEntries(slides.map((xml, index) => [`ppt/slides/slide${index}.xml`, xml])),
      ...Object.fromEntries(
        slides.map((_, index) => [`ppt/slides/_rels/slide${index}.xml.rels`, relationships(media)]),
      ),
      'ppt/slideLayouts/slideLayout1.xml': slide(picture('large')),
      'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships(media),
      'ppt/media/large.png': LARGE,
      'ppt/media/small.png': SMALL,
    });

  it('stand where they are on the slide, with what they are called', async () => {
    const file = pptx(
      slide(shape('Fees') + picture('large', 'A table of the fees') + picture('small') + shape('End')),
      slide(`<p:grpSp>${filled}</p:grpSp>`),
    );
    expect(await ask(file)).toEqual({
      pages: [
        [1, 'Fees\n\nA table of the fees\n\n(picture 1)\n\nEnd'],
        [2, '(picture 2)'],
      ],
      asked: [inText(1), { ...inText(2), loss: { code: 'pages_without_text', page: 2 } }],
      warnings: [],
    });
    expect(await ask(file, () => undefined)).toMatchObject({
      pages: [
        [1, 'Fees\n\nA table of the fees\n\nEnd'],
        [2, ''],
      ],
      warnings: [['pages_without_text', { page: 2 }]],
    });
  });
});

describe('pictures in a book', () => {
  const page = (body: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`;
  const epub = (...bodies: string[]) =>
    zipOf({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="OPS/package.opf"/></rootfiles></container>',
      'OPS/package.opf': `<package><manifest>${bodies.map((_, index) => `<item id="c${index}" href="text/c${index}.xhtml" media-type="application/xhtml+xml"/>`).join('')}</manifest><spine>${bodies.map((_, index) => `<itemref idref="c${index}"/>`).join('')}</spine></package>`,
      ...Object.fromEntries(bodies.map((body, index) => [`OPS/text/c${index}.xhtml`, page(body)])),
      'OPS/img/large one.png': LARGE,
      'OPS/img/small.png': SMALL,
    });

  it('stand after their paragraph or figure, scanned pages of a drawing included', async () => {
    const file = epub(
      '<svg xmlns:xlink="x"><image width="4" xlink:href="../img/large%20one.png"/></svg>',
      '<p>See this: <a href="x"><img src="../img/large%20one.png" alt="plan"/></a></p><p>Then<img src="../img/small.png"/></p>' +
        '<figure><img src="../img/large%20one.png"/><figcaption>Plan of the harbour</figcaption></figure><p>End</p>' +
        '<p><img src="https://example.invalid/a.png"/><img src="../img/gone.png"/></p>',
    );
    expect(await ask(file)).toEqual({
      pages: [
        [1, '(picture 1)'],
        [2, 'See this:\n\n(picture 2)\n\nThen\n\nPlan of the harbour\n\n(picture 3)\n\nEnd'],
      ],
      asked: [inText(1), inText(2), inText(2)],
      warnings: [],
    });
    const { pages } = await parseBytes(file);
    const unread = await ask(file, () => undefined);
    expect(unread.pages).toEqual(pages.map(({ number, markdown }) => [number, markdown]));
  });
});

describe('pictures in a web page', () => {
  const data = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
  const html = (body: string) =>
    `<!doctype html><html><head><title>Fees</title></head><body>${body}</body></html>`;

  it('are those in the page itself', async () => {
    const file = html(
      `<h1>Fees</h1><p>Ships pay <img src="${data(LARGE)}" alt="fees"> in advance.</p><p>All of them.</p>` +
        `<p><img src="${data(SMALL)}"><img src="https://example.invalid/a.png"><img src="${data(LARGE, 'image/svg+xml')}"></p>` +
        `<table><tr><th>Name</th><th>Plan</th></tr><tr><td>A</td><td>see <img src="${data(LARGE)}"></td></tr></table>`,
    );
    const table = (plan: string) => `| Name | Plan |\n| --- | --- |\n| A | ${plan} |`;
    expect(await ask(file)).toEqual({
      pages: [
        [
          1,
          '# Fees\n\nShips pay fees in advance.\n\n(picture 1)\n\nAll of them.\n\n' +
            table('see (picture 2)'),
        ],
      ],
      asked: [inText(1), inText(1)],
      warnings: [],
    });
    const { pages } = await parseBytes(Buffer.from(file));
    expect((await ask(file, () => undefined)).pages).toEqual([[1, pages[0]?.markdown]]);
  });

  it('stand after the item of a list that has them', async () => {
    const list = `<ul><li>One <img src="${data(LARGE)}"></li><li>Two</li></ul>`;
    expect((await ask(html(`<h1>Fees</h1>${list}`))).pages).toEqual([
      [1, '# Fees\n\n-   One\n\n(picture 1)\n\n-   Two'],
    ]);
  });
});

describe('attachments of a mail', () => {
  const part = (headers: string, content: Buffer | string) =>
    `--b\r\n${headers}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`;
  const mail = (...parts: string[]) =>
    `From: a@example.test\r\nSubject: Fees\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${part('Content-Type: text/plain', 'See below.')}${parts.join('')}--b--\r\n`;
  const png = (name: string, disposition: string, bytes: Buffer) =>
    part(
      `Content-Type: image/png; name=${name}\r\nContent-Disposition: ${disposition}; filename=${name}`,
      bytes,
    );
  const file = mail(
    png('scan.png', 'attachment', SMALL),
    png('logo.png', 'inline', SMALL),
    png('table.png', 'inline', LARGE),
  );
  const start = '# Fees\n\nFrom: a@example.test\n\nSee below.';
  const loss = (name: string) => ({ loss: { code: 'pages_without_text', page: 1, file: name } });

  it('are read whatever their size, and those in the body if they are large', async () => {
    expect(await ask(file)).toEqual({
      pages: [
        [1, start],
        [1, '## Attachment: scan.png\n\n(picture 1)'],
        [1, '## Attachment: table.png\n\n(picture 2)'],
      ],
      asked: [
        { ...inText(1, SMALL), ...loss('scan.png') },
        { ...inText(1), ...loss('table.png') },
      ],
      warnings: [],
    });
  });

  it('in the body are left out where they are not wanted, or not read', async () => {
    const scan = '## Attachment: scan.png\n\n';
    expect((await ask(file, undefined, { recognizeAlso: {} })).pages).toEqual([
      [1, start],
      [1, `${scan}(picture 1)`],
    ]);
    expect(await ask(file, () => undefined)).toMatchObject({
      pages: [
        [1, start],
        [1, `${scan}(Not read: it has no text.)`],
      ],
      warnings: [['unreadable_attachments', { name: 'scan.png' }]],
    });
  });

  it('end the parsing where `recognize` throws, before there are pages', async () => {
    const full = new Error('The disk is full.');
    const recognize = () => {
      throw full;
    };
    const pdf = part(
      'Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment; filename=a.pdf',
      writePdf([{ hasImage: true }]),
    );
    for (const text of [file, mail(pdf)])
      await expect(parse({ source: sourceFromBuffer(Buffer.from(text)), recognize })).rejects.toBe(full);
    const scan = sourceFromBuffer(writePdf([{ hasImage: true }]));
    await expect(parse({ source: scan, recognize })).rejects.toBe(full);
  });

  it('of a mailbox are on the page of their mail', async () => {
    const mailbox = [file, file]
      .map((one) => `From a@example.test Sat Nov 28 09:00:00 2026\r\n${one}`)
      .join('\r\n');
    const { asked } = await ask(mailbox, undefined, { recognizeAlso: {}, fileName: 'fees.mbox' });
    expect(asked).toEqual([1, 2].map((page) => ({ ...inText(page, SMALL), ...loss('scan.png') })));
  });
});
