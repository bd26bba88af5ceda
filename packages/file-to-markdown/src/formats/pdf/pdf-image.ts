/** An image as pdf.js decodes it. */
export interface PdfImage {
  width: number;
  height: number;
  /** 0 is black; undefined where the image is transparent. */
  grayAt(x: number, y: number): number | undefined;
}

/** `ImageKind` of pdf.js. */
const GRAYSCALE_1BPP = 1;
const RGB_24BPP = 2;
const RGBA_32BPP = 3;

interface Decoded {
  width: number;
  height: number;
  kind?: number;
  data: Uint8Array | Uint8ClampedArray;
}

/**
 * @param isMask one bit for each pixel, of which those that are 0 are painted
 * @returns undefined where it is no image, or not complete
 */
export function toGray(decoded: unknown, isMask: boolean): PdfImage | undefined {
  if (!isDecoded(decoded)) return undefined;
  const { width, height, data } = decoded;
  const kind = isMask ? GRAYSCALE_1BPP : decoded.kind;
  const rowBytes = kind === GRAYSCALE_1BPP ? (width + 7) >> 3 : kind === RGB_24BPP ? 3 * width : 4 * width;
  if (data.length < rowBytes * height) return undefined;
  const byte = (index: number) => data[index] ?? 0;
  const bit = (x: number, y: number) => (byte(y * rowBytes + (x >> 3)) >> (7 - (x & 7))) & 1;
  if (kind === GRAYSCALE_1BPP) {
    const one = isMask ? undefined : 255;
    return { width, height, grayAt: (x, y) => (bit(x, y) ? one : 0) };
  }
  if (kind === RGB_24BPP) {
    const grayAt = (x: number, y: number) => grayOf(data, y * rowBytes + 3 * x);
    return { width, height, grayAt };
  }
  if (kind !== RGBA_32BPP) return undefined;
  const onWhite = (x: number, y: number) => {
    const at = y * rowBytes + 4 * x;
    const alpha = byte(at + 3) / 255;
    return alpha === 0 ? undefined : grayOf(data, at) * alpha + 255 * (1 - alpha);
  };
  return { width, height, grayAt: onWhite };
}

/** Rec. 601. */
const grayOf = (data: Decoded['data'], at: number): number =>
  0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);

function isDecoded(value: unknown): value is Decoded {
  if (typeof value !== 'object' || value === null) return false;
  const { width, height, data } = value as Partial<Decoded>;
  const isData = data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  return isData && Number.isSafeInteger(width) && Number.isSafeInteger(height);
}
