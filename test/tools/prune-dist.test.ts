import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = path.resolve('scripts/prune-dist.js');
const NOTES = 'dist/.tsbuildinfo';
const BUILT = ['dist/src/kept.js', 'dist/src/kept.js.map', 'dist/src/kept.d.ts'];
let checkout: string;

const prune = () => execFileSync(process.execPath, [script], { cwd: checkout });
const isThere = (file: string) => existsSync(path.join(checkout, file));
function write(...files: string[]): void {
  for (const file of files) {
    mkdirSync(path.dirname(path.join(checkout, file)), { recursive: true });
    writeFileSync(path.join(checkout, file), '');
  }
}

beforeEach(() => {
  checkout = mkdtempSync(path.join(os.tmpdir(), 'lectern-prune-'));
  write('src/kept.ts', 'src/kept.test.ts', 'db/types.d.ts', 'bench/README.md', NOTES, ...BUILT);
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

test('what a source made stays, and the notes of the compiler', () => {
  prune();
  expect([...BUILT, NOTES].filter((file) => !isThere(file))).toEqual([]);
});

test('what a deleted or renamed source left is removed', () => {
  const left = ['dist/src/gone.js', 'dist/src/gone.js.map', 'dist/src/gone.d.ts', 'dist/old/gone.js'];
  write(...left, 'dist/src/kept.test.js', 'dist/node_modules/pdfjs-dist/package.json');
  prune();
  expect([...left, 'dist/src/kept.test.js', 'dist/node_modules'].filter(isThere)).toEqual([]);
  expect(isThere(NOTES)).toBe(true);
});

test('programs and the console, which have builds of their own, stay', () => {
  const console = [
    'dist/program/lectern.js',
    'dist/docs/files.json',
    'dist/docs-1/how-to/index.html',
    'dist/web/files.json',
    'dist/web/assets/index-abc.js',
    'dist/web-1/index.html',
  ];
  write(...console);
  prune();
  expect(console.filter((file) => !isThere(file))).toEqual([]);
});

test('where something of it is missing, the compiler writes everything', () => {
  rmSync(path.join(checkout, 'dist/src/kept.js'));
  prune();
  expect(isThere(NOTES)).toBe(false);
});

test('before the first build there is nothing to do', () => {
  rmSync(path.join(checkout, 'dist'), { recursive: true });
  prune();
});
