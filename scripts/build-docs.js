/*
 * Builds docs/guide into dist/docs, of another folder where one is given: pages, their Markdown, the index of the search, and
 * files.json, which the server serves by. Where nothing has changed since, it does nothing.
 *
 * With --optional, a guide that cannot be built is a warning: the server runs without.
 */
import path from 'node:path';
import { GUIDE, SITE_SOURCES, writeSite } from './docs/write-site.js';
import { buildStaticFiles, filesIn } from './static-files.js';

const [PACKAGE = path.join(import.meta.dirname, '..')] = process.argv
  .slice(2)
  .filter((arg) => !arg.startsWith('--'));
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

process.chdir(path.join(import.meta.dirname, '..'));
const inputs = [
  ...[GUIDE, 'scripts/docs'].flatMap((folder) => filesIn(folder).map((name) => `${folder}/${name}`)),
  ...SITE_SOURCES,
  'scripts/build-docs.js',
  'scripts/static-files.js',
  'package-lock.json',
];
try {
  await buildStaticFiles(path.resolve(PACKAGE, 'dist/docs'), { inputs, types: TYPES, build: writeSite });
} catch (error) {
  if (!process.argv.includes('--optional')) throw error;
  process.stderr.write(`The guide was not built: ${error.message}\n`);
}
