/* Tables, fonts and decoders of pdf.js, as files of the console. Each is loaded where a PDF asks for it. */

const cmaps = byName(
  import.meta.glob<string>('../../../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url',
    import: 'default',
    eager: true,
    exhaustive: true,
  }),
);
const fonts = byName(
  import.meta.glob<string>('../../../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
    exhaustive: true,
  }),
);
const decoders = byName(
  import.meta.glob<string>('../../../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
    exhaustive: true,
  }),
);

/** Which codes of a Chinese, Japanese or Korean font are which characters. */
export class CMapReaderFactory {
  async fetch({ name }: { name: string }) {
    return { cMapData: await load(cmaps, `${name}.bcmap`), isCompressed: true };
  }
}

/** In place of fonts that every reader of PDF has. */
export class StandardFontDataFactory {
  fetch = ({ filename }: { filename: string }) => load(fonts, filename);
}

/** Decoders of scanned pages. */
export class WasmFactory {
  fetch = ({ filename }: { filename: string }) => load(decoders, filename);
}

async function load(files: Map<string, string>, name: string): Promise<Uint8Array> {
  const url = files.get(name);
  if (url === undefined) throw new Error(`no such file: ${name}`);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${name}: HTTP ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

function byName(files: Record<string, string>): Map<string, string> {
  return new Map(Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]));
}
