/*
 * Builds the console into dist/web, of another folder where one is given: the bundle, compressed copies of its files, and files.json, which the server serves
 * by. Where nothing has changed since, it does nothing. Fails where the first screen has become too large.
 *
 * With --optional, a console that cannot be built is a warning: the server runs without.
 */
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { brotli, buildStaticFiles, filesIn } from './static-files.js';

const [PACKAGE = path.join(import.meta.dirname, '..')] = process.argv
  .slice(2)
  .filter((arg) => !arg.startsWith('--'));
const TARGET = path.resolve(PACKAGE, 'dist/web');
const MANIFEST = 'manifest.json';
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
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
/** JavaScript of the first screen, compressed. */
const BUDGET_BYTES = 130_000;
/** The entry, and the screen that `/` leads to. */
const FIRST = ['index.html', 'src/screens/overview/overview.tsx'];

process.chdir(path.join(import.meta.dirname, '..'));
const sources = filesIn('web').filter((name) => !name.startsWith('node_modules/'));
const scripts = ['build-web', 'static-files'].map((name) => `scripts/${name}.js`);
const inputs = [...sources.map((name) => `web/${name}`), 'package-lock.json', ...scripts];
try {
  await buildStaticFiles(TARGET, { inputs, types: TYPES, build });
} catch (error) {
  if (!process.argv.includes('--optional')) throw error;
  process.stderr.write(`The console was not built: ${error.message}\n`);
}

async function build(folder) {
  // Whatever the environment says: otherwise the bundle has React for development, with the paths of this machine.
  process.env.NODE_ENV = 'production';
  const { build: bundle } = await import('vite');
  await bundle({
    configFile: 'web/vite.config.ts',
    logLevel: 'warn',
    // Advice on the time of plugins is not for who only starts the server.
    build: { outDir: path.resolve(folder), rolldownOptions: { checks: { pluginTimings: false } } },
  });
  assertWithinBudget(folder);
  rmSync(path.join(folder, MANIFEST));
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
