import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const repo = path.resolve(import.meta.dirname, '../..');

/** What a package is made of, and what goes with it. */
const SOURCES = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.package.json',
  'bin',
  'db',
  'src',
  'bench',
  'packages',
  'scripts',
  'web',
  'demo',
  'ops',
  'docs/guide',
  'docs/licences.md',
  'openapi.json',
  'openapi.d.ts',
  'README.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  '.env.example',
];

export interface Packed {
  /** The tarball. */
  file: string;
  /** The paths of the files in it. */
  names: string[];
  /** What is in `dist` of the checkout afterwards. */
  dist: string[];
}

/**
 * Packs a copy of this checkout, which an older build has left something in. The tarball is put into the folder.
 *
 * @param options.isPrivate whether the files are those of an account that lets nobody else read
 */
export async function pack(folder: string, { isPrivate = false } = {}): Promise<Packed> {
  const checkout = path.join(folder, 'checkout');
  for (const name of SOURCES) {
    cpSync(path.join(repo, name), path.join(checkout, name), { recursive: true });
  }
  symlinkSync(path.join(repo, 'node_modules'), path.join(checkout, 'node_modules'));
  mkdirSync(path.join(checkout, 'dist/src'), { recursive: true });
  writeFileSync(path.join(checkout, 'dist/src/removed-since.js'), '');
  const begin = isPrivate ? 'umask 077 && chmod -R go-rwx .' : 'umask 022';
  const script = `${begin} && npm run --silent tarball -- --json --offline --pack-destination "$0"`;
  const { stdout } = await run('sh', ['-c', script, folder], { cwd: checkout });
  const [packed] = JSON.parse(stdout);
  const dist = readdirSync(path.join(checkout, 'dist'), { recursive: true }) as string[];
  rmSync(checkout, { recursive: true });
  return {
    file: path.join(folder, packed.filename),
    names: packed.files.map((file: { path: string }) => file.path),
    dist,
  };
}
