import { deflateSync } from 'node:zlib';

/** A page of text, or one that is a picture: a byte for each pixel, 0 is black. */
export type TestPage =
  | { text: string }
  | {
      gray: Uint8Array;
      width: number;
      height: number;
      rotate?: number;
      /** In points; default: in the proportions of the picture. */
      pageHeight?: number;
    };

/** A PDF in which some pages are scans. */
export function scannedPdf(pages: TestPage[]): Buffer {
  const objects: Buffer[] = [];
  const add = (head: string, stream?: Buffer): number => {
    const body = stream
      ? Buffer.concat([
          Buffer.from(`<< ${head} /Length ${stream.length} >>\nstream\n`),
          stream,
          Buffer.from('\nendstream'),
        ])
      : Buffer.from(`<< ${head} >>`);
    return objects.push(body);
  };
  const catalog = add('/Type /Catalog /Pages 2 0 R');
  const tree = add('');
  const font = add('/Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding');
  const kids = pages.map((page) => {
    const { resources, content, rotate, height } =
      'text' in page ? textPage(page.text, font) : picturePage(page, add);
    const contents = add('', Buffer.from(content));
    return add(
      `/Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${PAGE_WIDTH} ${height}] /Rotate ${rotate} /Resources << ${resources} >> /Contents ${contents} 0 R`,
    );
  });
  objects[tree - 1] = Buffer.from(
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`,
  );
  return write(objects, catalog);
}

/** In points. */
const [PAGE_WIDTH, PAGE_HEIGHT] = [595, 842];

interface PageParts {
  resources: string;
  content: string;
  rotate: number;
  height: number;
}

function textPage(text: string, font: number): PageParts {
  const escaped = text.replace(/[\\()]/g, (found) => `\\${found}`);
  return {
    resources: `/Font << /F ${font} 0 R >>`,
    content: `BT /F 12 Tf 72 700 Td (${escaped}) Tj ET`,
    rotate: 0,
    height: PAGE_HEIGHT,
  };
}

function picturePage(
  { gray, width, height, rotate = 0, pageHeight }: Extract<TestPage, { gray: Uint8Array }>,
  add: (head: string, stream: Buffer) => number,
): PageParts {
  const image = add(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
    deflateSync(gray),
  );
  const high = pageHeight ?? Math.round((PAGE_WIDTH * height) / width);
  return {
    resources: `/XObject << /I ${image} 0 R >>`,
    content: `q ${PAGE_WIDTH} 0 0 ${high} 0 0 cm /I Do Q`,
    rotate,
    height: high,
  };
}

function write(objects: Buffer[], catalog: number): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = 9;
  for (const [index, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root ${catalog} 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
