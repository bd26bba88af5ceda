/* Files that a server sends as they are: what they are, compressed copies of them, and whether they must be built again. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

const LIST = 'files.json';
/** Smaller files are sent as they are. */
const MIN_COMPRESSED_BYTES = 1_000;
/** Compressed already. */
const COMPACT = ['.bcmap', '.pfb'];

/**
 * Builds a folder where its inputs have changed since: beside it, so that a server that runs keeps its files until the new ones are
 * complete.
 *
 * @param inputs paths of files
 * @param types Content-Type by ending; files with others are not served
 * @param build fills the folder that it is given
 */
export async function buildStaticFiles(target, { inputs, types, build }) {
  const hash = hashOf(inputs);
  const list = path.join(target, LIST);
  if (existsSync(list) && JSON.parse(readFileSync(list, 'utf8')).inputs === hash) return;
  const folder = `${target}-${process.pid}`;
  try {
    await build(folder);
    const names = filesIn(folder).filter((name) => path.extname(name) in types);
    const files = Object.fromEntries(
      names.map((name) => [name, { type: types[path.extname(name)], ...compress(folder, name) }]),
    );
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

/** Writes compressed copies beside a file, and gives which there are, and a hash of it. */
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
  return { encodings, etag };
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(file);
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('base64url');
}
