import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What pages use of a checkout. They write beside it, and the data of their servers is there, too. */
const SHARED = [
  '.env.example',
  'bin',
  'compose.yaml',
  'demo',
  'dist',
  'docs',
  'examples',
  'node_modules',
  'openapi.json',
  'ops',
  'packages',
  'scripts',
  'web',
];
/** All pages share what is built. */
const BUILD = /npm run --silent build:server && |node scripts\/build-\w+\.js --optional && /g;

/** Makes a folder that is for a page what a checkout is, except that nothing needs to be installed and built. */
export function makeView(folder: string): void {
  mkdirSync(folder);
  for (const name of SHARED) symlinkSync(path.resolve(name), path.join(folder, name));
  const manifest = readFileSync('package.json', 'utf8')
    .replace(BUILD, '')
    .replace(/("build(?::\w+)?"): "[^"]*"/g, '$1: "true"');
  writeFileSync(path.join(folder, 'package.json'), manifest);
}
