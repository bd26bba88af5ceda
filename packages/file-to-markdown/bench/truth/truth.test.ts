import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zipOf } from '../../test/support/zip.js';
import type { Truth } from '../score.js';
import { epubTruth } from './epub-truth.js';
import { docxTruth, odtTruth, pptxTruth } from './office-truth.js';
import { xlsxTruth } from './xlsx-truth.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-truth-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function truthOf(read: (file: string) => Promise<Truth>, parts: Record<string, string>) {
  const file = path.join(folder, 'file');
  await writeFile(file, zipOf(parts));
  const { required, allowed } = await read(file);
  return { required: [...required.keys()].join(' '), allowed: [...allowed.keys()].join(' ') };
}

describe('the truth about a file', () => {
  it('is the runs of a DOCX, without what was moved away or is there twice', async () => {
    const document =
      '<w:document><w:p><w:r><w:t>Har</w:t></w:r><w:r><w:t>bour</w:t></w:r></w:p><w:p><w:moveFrom><w:t>gone</w:t></w:moveFrom></w:p>' +
      '<mc:AlternateContent><mc:Choice><w:p><w:t>box</w:t></w:p></mc:Choice><mc:Fallback><w:p><w:t>again</w:t></w:p></mc:Fallback></mc:AlternateContent></w:document>';
    expect(
      await truthOf(docxTruth, {
        'word/document.xml': document,
        'word/header1.xml': '<w:hdr><w:t>Top</w:t></w:hdr>',
      }),
    ).toEqual({ required: 'harbour box', allowed: 'top' });
  });

  it('is the runs of a PPTX; footers and notes are allowed', async () => {
    const slide =
      '<p:sld><p:sp><p:txBody><a:p><a:t>Fees</a:t></a:p></p:txBody></p:sp>' +
      '<p:sp><p:nvPr><p:ph type="ftr"/></p:nvPr><p:txBody><a:p><a:t>foot</a:t></a:p></p:txBody></p:sp></p:sld>';
    expect(
      await truthOf(pptxTruth, {
        'ppt/slides/slide1.xml': slide,
        'ppt/notesSlides/notesSlide1.xml': '<p:notes><a:t>said</a:t></p:notes>',
      }),
    ).toEqual({ required: 'fees', allowed: 'foot said' });
  });

  it('is the paragraphs of an ODT, without what was deleted', async () => {
    const content =
      '<office:document-content><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>' +
      '<text:p>ber<text:span>th</text:span><office:annotation><text:p>aside</text:p></office:annotation></text:p></office:document-content>';
    expect(await truthOf(odtTruth, { 'content.xml': content })).toEqual({
      required: 'berth',
      allowed: 'aside',
    });
  });

  it('is the bodies in the spine of an EPUB', async () => {
    const page = '<html><head><title>no</title></head><body><p>Caf&eacute; <b>o</b>pen</p></body></html>';
    expect(
      await truthOf(epubTruth, {
        'META-INF/container.xml': '<container><rootfile full-path="e/book.opf"/></container>',
        'e/book.opf':
          '<package><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><itemref idref="a"/></package>',
        'e/a.xhtml': page,
        'e/b.xhtml': page.replace('open', 'unread'),
      }),
    ).toEqual({ required: 'café open', allowed: '' });
  });

  it('is the texts of the cells of an XLSX; numbers are allowed', async () => {
    expect(
      await truthOf(xlsxTruth, {
        'xl/sharedStrings.xml': '<sst><si><t>berth</t></si><si><r><t>qu</t></r><r><t>ay</t></r></si></sst>',
        'xl/worksheets/sheet1.xml':
          '<worksheet><c t="s"><v>1</v></c><c t="s"><v>0</v></c><c><v>7</v></c><c t="inlineStr"><is><t>pier</t></is></c></worksheet>',
        'xl/comments1.xml': '<comments><comment><text><r><t>whose</t></r></text></comment></comments>',
        'xl/charts/chart1.xml': '<c:chart><c:v>ships</c:v><c:f>S!A1</c:f></c:chart>',
      }),
    ).toEqual({ required: 'quay berth pier', allowed: '7 whose ships' });
  });
});
