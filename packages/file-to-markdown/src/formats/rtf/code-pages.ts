import { createDecoder } from '../../decode/encodings.js';

/** Code pages of Windows by number, as far as their names do not follow from it. */
const NAMES: Record<number, string> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  1361: 'euc-kr',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** Code pages of a font's character set (`\fcharset`). */
const OF_CHARSET: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  130: 1361,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
};
const SYMBOL_CHARSET = 2;
/** In place of an encoding. */
const SYMBOLS = 'symbols';
const LATIN = 'windows-1252';

/** The encoding of a font's characters; undefined where it is that of the document. */
export function encodingOfCharset(charset: number): string | undefined {
  if (charset === SYMBOL_CHARSET) return SYMBOLS;
  const page = OF_CHARSET[charset];
  return page === undefined ? undefined : encodingOfCodePage(page);
}

export function encodingOfCodePage(page: number): string {
  return NAMES[page] ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : LATIN);
}

/** What is not valid in its code page is Western text in a document that is said to be Asian as a whole. */
export function decodeBytes(bytes: number[], encoding: string): string {
  const array = Uint8Array.from(bytes);
  if (encoding === SYMBOLS) return [...array].map(decodeSymbol).join('');
  try {
    return createDecoder(encoding, { fatal: true }).decode(array);
  } catch {
    return createDecoder(LATIN).decode(array);
  }
}

/** A character of a font of symbols by its code: bullets are kept, the rest has no meaning as text. */
export function decodeSymbol(code: number): string {
  return (code & 0xff) === 0xb7 ? '•' : '';
}
