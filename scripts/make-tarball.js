/*
 * Makes the tarball of the package from a folder of its own: `npm pack` here would need a dist without what only this checkout
 * uses, from which servers and commands may be running. Takes the options of `npm pack`, such as --pack-destination.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

process.chdir(path.join(import.meta.dirname, '..'));
const { files } = JSON.parse(readFileSync('package.json', 'utf8'));
const staged = mkdtempSync(path.join(os.tmpdir(), 'lectern-package-'));
try {
  for (const name of [...files, 'package.json', 'README.md'])
    if (name !== 'dist' && existsSync(name)) cpSync(name, path.join(staged, name), { recursive: true });
  runNode(
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.package.json',
    '--outDir',
    path.join(staged, 'dist'),
  );
  for (const script of ['copy-packages', 'build-web', 'write-sbom', 'set-modes'])
    runNode(`scripts/${script}.js`, staged);
  // Its scripts are those of this checkout, and done.
  run('npm', ['pack', '--ignore-scripts', ...process.argv.slice(2), staged], 'inherit');
} finally {
  rmSync(staged, { recursive: true, force: true });
}

/** What it prints must not come between the lines of npm's result. */
function runNode(...args) {
  run(process.execPath, args, process.stderr);
}

function run(program, args, stdout) {
  const { status, error } = spawnSync(program, args, {
    ...{ stdio: ['ignore', stdout, 'inherit'] },
    shell: process.platform === 'win32',
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${path.basename(args[0] ?? program)} ended with ${status}`);
}
