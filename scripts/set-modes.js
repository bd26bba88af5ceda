/*
 * Gives all files of the package in the folder of the argument the same modes, whatever the umask of who checked out or builds:
 * the tarball has them.
 */
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

process.chdir(process.argv[2]);
const { files, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
const programs = new Set(Object.values(bin).map((file) => path.normalize(file)));
for (const file of [...files, 'package.json', 'README.md'])
  if (existsSync(file)) setMode(path.normalize(file));

function setMode(file) {
  const isFolder = lstatSync(file).isDirectory();
  chmodSync(file, isFolder || programs.has(file) ? 0o755 : 0o644);
  if (isFolder) for (const name of readdirSync(file)) setMode(path.join(file, name));
}
