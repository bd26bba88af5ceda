import { deflateSync } from 'node:zlib';

/** A page of text, or one that is a picture: a byte for each pixel, 0 is black. */
export type TestPage =
  | { text: string }
  | { gray: Uint8Array; width: number; height: number; rotate?: number };

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
    const [resources, content, rotate] = 'text' in page ? textPage(page.text, font) : picturePage(page, add);
    const contents = add('', Buffer.from(content));
    return add(
      `/Type /Page /Parent ${tree} 0 R /MediaBox [0 0 595 842] /Rotate ${rotate} /Resources << ${resources} >> /Contents ${contents} 0 R`,
    );
  });
  objects[tree - 1] = Buffer.from(
    `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`,
  );
  return write(objects, catalog);
}

function textPage(text: string, font: number): [string, string, number] {
  const escaped = text.replace(/[\\()]/g, (found) => `\\${found}`);
  return [`/Font << /F ${font} 0 R >>`, `BT /F 12 Tf 72 700 Td (${escaped}) Tj ET`, 0];
}

function picturePage(
  { gray, width, height, rotate = 0 }: Extract<TestPage, { gray: Uint8Array }>,
  add: (head: string, stream: Buffer) => number,
): [string, string, number] {
  const image = add(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`,
    deflateSync(gray),
  );
  return [`/XObject << /I ${image} 0 R >>`, 'q 595 0 0 842 0 0 cm /I Do Q', rotate];
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
