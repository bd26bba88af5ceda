export interface PdfPage {
  /** Lines of text: left, baseline, text, and what differs from Helvetica of 10 points. */
  text?: [x: number, y: number, text: string, style?: PdfStyle][];
  /** Lines drawn from one point to another. */
  rules?: [x1: number, y1: number, x2: number, y2: number][];
  /** Check boxes and radio buttons: left, bottom, whether they are set. */
  buttons?: [x: number, y: number, kind: 'box' | 'radio', isSet: boolean][];
  rotate?: number;
  hasImage?: boolean;
  /** Referred to, but not in the file. */
  isMissing?: boolean;
}

interface PdfStyle {
  size?: number;
  font?: keyof typeof FONTS;
  /** Degrees. */
  turn?: number;
}

/** Objects that pages and fonts refer to. */
const PIXEL_OBJECT = 3;
const CMAP_OBJECT = 4;
const FIRST_FONT = 5;

const FONTS = {
  plain: '/BaseFont /Helvetica /Encoding /WinAnsiEncoding',
  bold: '/BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding',
  mono: '/BaseFont /Courier /Encoding /WinAnsiEncoding',
  /** `a` to `e` are the Hebrew letters shin, lamed, vav, final mem and ayin. */
  hebrew:
    '/BaseFont /Helvetica /Encoding << /Differences [97 /afii57689 /afii57676 /afii57669 /afii57677 /afii57682] >>',
  /** `~` is a soft hyphen that is drawn; \x80 to \x83 are old-style figures from 0 on. */
  typeset:
    `/BaseFont /Helvetica /FirstChar 32 /LastChar 131 /Widths [${'500 '.repeat(100)}] /Encoding << ` +
    '/BaseEncoding /WinAnsiEncoding /Differences [126 /sfthyphen 128 /zero.os /one.os /twooldstyle /threeoldstyle] >>',
  /** Two bytes a glyph, as `glyphCodes` writes them; only letters and spaces have characters. */
  glyphs: composite('Identity', 'Identity-H', `/ToUnicode ${CMAP_OBJECT} 0 R`),
  /** UTF-16, as `utf16` writes it. */
  japanese: composite('Japan1', 'UniJIS-UTF16-H'),
};
/** Letters and spaces of the font `glyphs`. */
const CMAP =
  'begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0003> <0020> endbfchar ' +
  '1 beginbfrange <0024> <005d> <0041> endbfrange endcmap';
const PIXEL =
  '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\nA\nendstream';

function composite(ordering: string, encoding: string, more = ''): string {
  const system = `<< /Registry (Adobe) /Ordering (${ordering}) /Supplement 0 >>`;
  const descriptor = '<< /Type /FontDescriptor /FontName /Sample /Flags 4 /Ascent 880 /Descent -120 >>';
  const font = `/Type /Font /Subtype /CIDFontType2 /BaseFont /Sample /FontDescriptor ${descriptor}`;
  const descendant = `<< ${font} /CIDSystemInfo ${system} /DW 1000 >>`;
  return `/Subtype /Type0 /BaseFont /Sample /Encoding /${encoding} ${more} /DescendantFonts [${descendant}]`;
}

/** ASCII as numbers of glyphs in the usual order of TrueType fonts. */
export const glyphCodes = (text: string): string =>
  [...text].map((character) => `\0${String.fromCharCode(character.charCodeAt(0) - 29)}`).join('');

export const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('latin1');

/** A PDF of A4 pages, for tests of where things stand on them. */
export function writePdf(pages: readonly PdfPage[], title?: string): Buffer {
  const names = Object.keys(FONTS);
  const fonts = names.map((name, index) => `/${name} ${index + FIRST_FONT} 0 R`).join(' ');
  const firstPage = FIRST_FONT + names.length;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ')}] >>`,
    PIXEL,
    `<< /Length ${CMAP.length} >>\nstream\n${CMAP}\nendstream`,
    ...Object.values(FONTS).map((font) =>
      font.startsWith('/Subtype') ? `<< /Type /Font ${font} >>` : `<< /Type /Font /Subtype /Type1 ${font} >>`,
    ),
    ...pages.flatMap((page, index) => {
      const content = contentOf(page);
      const resources = `<< /Font << ${fonts} >> /XObject << /Image ${PIXEL_OBJECT} 0 R >> >>`;
      const shape = `/MediaBox [0 0 595 842] /Rotate ${page.rotate ?? 0}`;
      const dictionary = `<< /Type /Page /Parent 2 0 R ${shape} /Annots [${buttonsOf(page)}] /Resources ${resources} /Contents ${firstPage + 2 * index + 1} 0 R >>`;
      return [
        page.isMissing ? '' : dictionary,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
    `<< /Title (${title ?? ''}) >>`,
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    if (body) file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return body ? `${String(offset).padStart(10, '0')} 00000 n \n` : '0000000000 00000 f \n';
  });
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>`;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}${trailer}`;
  return Buffer.from(`${file}${table}\nstartxref\n${file.length}\n%%EOF\n`, 'latin1');
}

function buttonsOf({ buttons = [] }: PdfPage): string {
  const widgets = buttons.map(([x, y, kind, isSet], index) => {
    const value = isSet ? '/Yes' : '/Off';
    const field =
      kind === 'box'
        ? `/FT /Btn /T (box${index}) /V ${value}`
        : `/Parent << /FT /Btn /Ff 32768 /T (radio${index}) /V ${value} >>`;
    const looks = `/AS ${value} /AP << /N << /Yes ${PIXEL_OBJECT} 0 R /Off ${PIXEL_OBJECT} 0 R >> >>`;
    return `<< /Type /Annot /Subtype /Widget /F 4 /Rect [${x} ${y} ${x + 10} ${y + 10}] ${field} ${looks} >>`;
  });
  return widgets.join(' ');
}

function contentOf({ text = [], rules = [], hasImage }: PdfPage): string {
  const shown = text.map(([x, y, line, { size = 10, font = 'plain', turn = 0 } = {}]) => {
    const radians = (turn * Math.PI) / 180;
    const [cos, sin] = [Math.cos(radians).toFixed(4), Math.sin(radians).toFixed(4)];
    const matrix = `${cos} ${sin} ${-sin} ${cos} ${x} ${y}`;
    return `BT /${font} ${size} Tf ${matrix} Tm (${line.replace(/[\\()]/g, '\\$&').replaceAll('\r', '\\r')}) Tj ET`;
  });
  const drawn = rules.map(([x1, y1, x2, y2]) => `${x1} ${y1} m ${x2} ${y2} l S`);
  return [...shown, ...drawn, ...(hasImage ? ['q 500 0 0 700 50 50 cm /Image Do Q'] : [])].join('\n');
}

/** Lines below each other. */
export function linesAt(
  x: number,
  y: number,
  lines: readonly string[],
  style?: PdfStyle,
): NonNullable<PdfPage['text']> {
  return lines.map((line, index) => [x, y - index * 1.2 * (style?.size ?? 10), line, style]);
}
