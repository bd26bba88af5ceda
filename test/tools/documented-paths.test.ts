import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

/** Inline code that begins with a folder of the project and has no placeholders. */
const PATH = /`((?:bench|bin|clients|db|demo|docs|examples|ops|packages|scripts|src|test|web)\/[\w./-]*)`/g;
/** Whose comments look like headings. */
const CODE = /^ *```[\s\S]*?^ *```$/gm;
/** Links to files of the project. */
const LINK = /\]\((?!\w+:|#)([^)#\s]+)/g;

const documents = [
  'ARCHITECTURE.md',
  'bench/README.md',
  'CONTRIBUTING.md',
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

test('every path and link in the documents exists', () => {
  const missing = documents.flatMap((document) => {
    const text = readFileSync(document, 'utf8');
    const folder = document.slice(0, document.lastIndexOf('/') + 1);
    const paths = [
      ...Array.from(text.matchAll(PATH), ([, path]) => path!),
      ...Array.from(text.matchAll(LINK), ([, path]) => folder + path),
    ];
    return paths.filter((path) => !existsSync(path)).map((path) => ({ document, path }));
  });
  expect(missing).toEqual([]);
});

test('every anchor in the documents is a heading', () => {
  const anchorsOf = (document: string) =>
    new Set(
      Array.from(
        readFileSync(document, 'utf8')
          .replace(CODE, '')
          .matchAll(/^#+ (.+)$/gm),
        ([, heading]) =>
          heading!
            .toLowerCase()
            .replace(/[^\p{L}\p{N} _-]/gu, '')
            .replaceAll(' ', '-'),
      ),
    );
  const missing = documents.flatMap((document) =>
    Array.from(readFileSync(document, 'utf8').matchAll(/\]\((?!\w+:)([^)\s#]*)#([^)\s]+)\)/g))
      .map(([, file, anchor]) => ({
        target: file ? path.join(path.dirname(document), file) : document,
        anchor,
      }))
      .filter(({ target, anchor }) => target.endsWith('.md') && !anchorsOf(target).has(anchor!))
      .map((link) => ({ document, ...link })),
  );
  expect(missing).toEqual([]);
});

test('the documents name paths', () => {
  const named = (document: string) => [...readFileSync(document, 'utf8').matchAll(PATH)].length;
  expect(named('ARCHITECTURE.md')).toBeGreaterThan(50);
  expect(named('CONTRIBUTING.md')).toBeGreaterThan(10);
});

test('every folder of the tree in ARCHITECTURE.md exists, and every folder of src is in it', () => {
  const [, tree = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('```');
  const parents: string[] = [];
  const listed: string[] = [];
  for (const line of tree.split('\n').filter(Boolean)) {
    const depth = line.search(/\S/) / 2;
    const [names = ''] = /^(?:[\w-]+\/ ?)+/.exec(line.trim()) ?? [];
    const folders = names.trim().split(' ');
    listed.push(...folders.map((name) => [...parents.slice(0, depth), name].join('')));
    parents[depth] = folders[0]!;
  }
  expect(listed.filter((folder) => !existsSync(folder))).toEqual([]);
  const present = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(listed).toEqual(expect.arrayContaining(present.map(({ name }) => `src/${name}/`)));
});
