/* Files that a server sends as they are: what they are, compressed copies of them, and whether they must be built again. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

const LIST = 'files.json';
/** Smaller files are sent as they are. */
const MIN_COMPRESSED_BYTES = 1_000;
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  // Of the guide.
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  // What pdf.js loads: its worker, tables of characters, fonts and decoders.
  '.mjs': 'text/javascript; charset=utf-8',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};
/** Compressed already. */
const COMPACT = ['.bcmap', '.pfb'];

/**
 * Builds a folder where its inputs have changed since: beside it, so that a server that runs keeps its files until the new ones are
 * complete.
 *
 * @param inputs paths of files
 * @param build fills the folder that it is given
 */
export async function buildStaticFiles(target, inputs, build) {
  const hash = hashOf(inputs);
  const list = path.join(target, LIST);
  if (existsSync(list) && JSON.parse(readFileSync(list, 'utf8')).inputs === hash) return;
  const folder = `${target}-${process.pid}`;
  try {
    await build(folder);
    const names = filesIn(folder).filter((name) => path.extname(name) in TYPES);
    const files = Object.fromEntries(names.map((name) => [name, compress(folder, name)]));
    writeFileSync(path.join(folder, LIST), JSON.stringify({ inputs: hash, files }));
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The paths of the files in a folder and below. */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

export function brotli(content) {
  return brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } });
}

/** Writes compressed copies beside a file, and gives what the server needs to know of it. */
function compress(folder, name) {
  const file = path.join(folder, name);
  const content = readFileSync(file);
  const encodings = [];
  if (content.length >= MIN_COMPRESSED_BYTES && !COMPACT.includes(path.extname(name))) {
    writeFileSync(`${file}.br`, brotli(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    encodings.push('br', 'gzip');
  }
  const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  return { type: TYPES[path.extname(name)], encodings, etag };
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('base64url');
}
