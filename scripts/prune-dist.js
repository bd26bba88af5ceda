/*
 * Before an incremental build: the compiler neither removes what a deleted or renamed source left in a dist, which could
 * still be imported, nor writes again what somebody removed there. The first is removed here, and for the second its
 * notes, so that it writes everything. The programs in dist/program, the console in dist/web and the guide in dist/docs have
 * builds of their own.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const NOTES = '.tsbuildinfo';
const STATIC = /^(docs|web)(-\d+)?[/\\]|^program[/\\]/;

/** The files in a folder and below, as paths from `from`. */
const filesIn = (folder, from) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(from, path.join(entry.parentPath, entry.name)));

/** @param folders those of sources, as in the configuration of the compiler */
function prune(project, folders) {
  const dist = path.join(project, 'dist');
  if (!existsSync(dist)) return;
  const isSource = (file) => /(?<!\.test|\.d)\.ts$/.test(file);
  const present = folders.map((folder) => path.join(project, folder)).filter(existsSync);
  const sources = present.flatMap((folder) => filesIn(folder, project)).filter(isSource);
  const expected = new Set(
    sources.flatMap((file) => ['.js', '.js.map', '.d.ts'].map((ending) => file.replace(/\.ts$/, ending))),
  );
  const built = new Set(filesIn(dist, dist).filter((file) => file !== NOTES && !STATIC.test(file)));
  for (const file of built) if (!expected.has(file)) rmSync(path.join(dist, file));
  if (![...expected].every((file) => built.has(file))) rmSync(path.join(dist, NOTES), { force: true });
}

// What older versions copied for the tarball; here the packages in node_modules serve.
rmSync('dist/node_modules', { recursive: true, force: true });
prune('.', ['db', 'src', 'bench', 'demo', 'test/chaos', 'test/support/meilisearch', 'test/support/scans']);
for (const name of existsSync('packages') ? readdirSync('packages') : [])
  prune(path.join('packages', name), ['src', 'bench']);
