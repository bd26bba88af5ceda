/*
 * Builds the console into dist/web, of another folder where one is given: the bundle, compressed copies of its files, and files.json, which the server serves
 * by. Where nothing has changed since, it does nothing. Fails where the first screen has become too large.
 *
 * With --optional, a console that cannot be built is a warning: the server runs without.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';

const [PACKAGE = path.join(import.meta.dirname, '..')] = process.argv
  .slice(2)
  .filter((arg) => !arg.startsWith('--'));
const TARGET = path.resolve(PACKAGE, 'dist/web');
const LIST = 'files.json';
const MANIFEST = 'manifest.json';
/** JavaScript of the first screen, compressed. */
const BUDGET_BYTES = 200_000;
/** The entry, and the screen that is opened first. */
const FIRST = ['index.html', 'src/screens/documents/documents.tsx'];
/** Smaller files are sent as they are. */
const MIN_COMPRESSED_BYTES = 1_000;
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  // What pdf.js loads: its worker, tables of characters, fonts and decoders.
  '.mjs': 'text/javascript; charset=utf-8',
  '.bcmap': 'application/octet-stream',
  '.pfb': 'application/octet-stream',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};
/** Compressed already. */
const COMPACT = ['.bcmap', '.pfb'];

process.chdir(path.join(import.meta.dirname, '..'));
const inputs = hashInputs();
if (inputs !== readList()?.inputs) {
  try {
    await build();
  } catch (error) {
    if (!process.argv.includes('--optional')) throw error;
    process.stderr.write(`The console was not built: ${error.message}\n`);
  }
}

async function build() {
  // Whatever the environment says: otherwise the bundle has React for development, with the paths of this machine.
  process.env.NODE_ENV = 'production';
  const { build: bundle } = await import('vite');
  // Beside the target: a server that runs keeps its files until the new ones are complete.
  const folder = `${TARGET}-${process.pid}`;
  try {
    await bundle({
      configFile: 'web/vite.config.ts',
      logLevel: 'warn',
      // Advice on the time of plugins is not for who only starts the server.
      build: { outDir: path.resolve(folder), rolldownOptions: { checks: { pluginTimings: false } } },
    });
    assertWithinBudget(folder);
    rmSync(path.join(folder, MANIFEST));
    const names = filesIn(folder).filter((name) => path.extname(name) in TYPES);
    const files = Object.fromEntries(names.map((name) => [name, compress(folder, name)]));
    writeFileSync(path.join(folder, LIST), JSON.stringify({ inputs, files }));
    rmSync(TARGET, { recursive: true, force: true });
    renameSync(folder, TARGET);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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

function brotli(content) {
  return brotliCompressSync(content, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } });
}

/** @throws Error where the scripts that the first screen needs are larger than the budget */
function assertWithinBudget(folder) {
  const manifest = JSON.parse(readFileSync(path.join(folder, MANIFEST), 'utf8'));
  const scripts = new Set();
  const add = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`${key} is not among what was built`);
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  for (const key of FIRST) add(key);
  const sizes = [...scripts].map((name) => brotli(readFileSync(path.join(folder, name))).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  process.stdout.write(`console: ${Math.round(bytes / 1000)} kB of JavaScript for the first screen\n`);
  if (bytes > BUDGET_BYTES) {
    throw new Error(`the first screen needs ${bytes} bytes of JavaScript, more than ${BUDGET_BYTES}`);
  }
}

/** A hash of everything that the result depends on. */
function hashInputs() {
  const hash = createHash('sha256');
  const sources = filesIn('web').filter((name) => !name.startsWith('node_modules/'));
  for (const file of [...sources.map((name) => `web/${name}`), 'package-lock.json', 'scripts/build-web.js']) {
    const content = readFileSync(file);
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('base64url');
}

/** The paths of the files in a folder and below. */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

function readList() {
  const list = path.join(TARGET, LIST);
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : undefined;
}
